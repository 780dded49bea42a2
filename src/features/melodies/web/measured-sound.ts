import { useEffect, useState } from 'react';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { readDuration, computeFilePeaks } from '#web/audio-ui/upload/analyse-file.ts';
import { MEBIBYTE } from '#shared/media.ts';

/**
 * Maximum size of a file whose waveform is computed. Decoding a larger file in the browser takes more memory
 * than a waveform is worth.
 */
const MAX_WAVEFORM_BYTES = 20 * MEBIBYTE;

type SoundMeasurement = Pick<ChosenAudio, 'seconds' | 'peaks'>;

const measurements = new WeakMap<File, Promise<SoundMeasurement>>();

/**
 * Returns the length and waveform of a file. Each is null if this browser can't compute it. The waveform is
 * also null for a file that is too large. Cached per file.
 */
export function measureSound(file: File): Promise<SoundMeasurement> {
  const measurement = measurements.get(file) ?? computeLengthAndPeaks(file);
  measurements.set(file, measurement);
  return measurement;
}

/**
 * Returns the file for the player immediately, and adds its length and waveform when they have been computed.
 */
export function useMeasuredSound(file: File): ChosenAudio {
  const [known, setKnown] = useState<{ of: File } & SoundMeasurement>();
  useEffect(() => {
    let isGone = false;
    void measureSound(file).then((found) => !isGone && setKnown({ of: file, ...found }));
    return () => {
      isGone = true;
    };
  }, [file]);
  const { seconds = null, peaks = null } = known?.of === file ? known : {};
  return { blob: file, name: file.name, origin: 'uploaded', seconds, peaks };
}

async function computeLengthAndPeaks(file: File): Promise<SoundMeasurement> {
  const seconds = await readDuration(file);
  return { seconds, peaks: file.size < MAX_WAVEFORM_BYTES ? await computeFilePeaks(file, seconds) : null };
}
