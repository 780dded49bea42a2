import { judgeLoudness } from '#web/audio/loudness.ts';
import { computePeaks } from '#web/audio/peaks.ts';
import { RECORDING_SAMPLE_RATE } from '#web/audio/recording-format.ts';
import { readWavSamples } from '#web/audio/wav.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import type { TakeMetadata } from './takes/recording-writer.ts';
import type { TakeStore } from './takes/take-store.ts';
import { encodePeaks } from '#web/audio-ui/playback/bars.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { readDuration, computeFilePeaks } from '#web/audio-ui/upload/analyse-file.ts';

/**
 * Returns a stored recording as audio that can be played and sent. Computes metadata that was not stored,
 * such as the duration and waveform of a recording that was cut off. If none of its audio was stored, removes
 * the recording and returns null.
 */
export async function loadStoredAudio(
  store: TakeStore,
  kept: StoredRecording,
): Promise<(ChosenAudio & { kept: StoredRecording }) | null> {
  const sound = await store.blobOf(kept);
  if (!sound) {
    // Removes a recording that was cut off before any of its audio was stored, because there is nothing to
    // offer.
    await store.remove(kept.id);
    return null;
  }
  const { name, origin, type } = kept;
  // Restores a chosen file as a `File`, because a `Blob` has no name.
  const blob = origin === 'uploaded' ? new File([sound], name, { type }) : sound;
  const facts = origin === 'uploaded' ? await analyseFile(kept, blob) : await analyseTake(kept, blob);
  return { blob, name, origin, ...facts, kept: { ...kept, ...facts } };
}

async function analyseFile(kept: StoredRecording, file: Blob): Promise<TakeMetadata> {
  const seconds = kept.seconds ?? (await readDuration(file));
  return { seconds, peaks: kept.peaks ?? (await computeFilePeaks(file, seconds)) };
}

async function analyseTake(
  { state, seconds, peaks, notes }: StoredRecording,
  wav: Blob,
): Promise<TakeMetadata> {
  if (state !== 'recording' && notes) return { seconds, peaks, notes };
  // Analyses a take that was cut off or that an older version of the app stored without warnings. Keeps the
  // warnings that a cut-off take already has.
  const samples = await readWavSamples(wav);
  const loudness = judgeLoudness(samples);
  return {
    seconds: samples.length / RECORDING_SAMPLE_RATE,
    peaks: encodePeaks(computePeaks([samples])),
    notes: loudness === 'good' ? (notes ?? []) : [...(notes ?? []), loudness],
  };
}
