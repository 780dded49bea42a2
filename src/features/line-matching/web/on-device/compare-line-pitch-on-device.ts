import {
  FRAMES_PER_SECOND,
  BAND_COUNT,
  type SoundFeatures,
} from '#features/line-matching/alignment/features.ts';
import type { LinePassage } from '../passages.ts';
import type { ComparedContours } from '../pitch/compare-contours.ts';
import { startAlignmentWorker, AlignmentWorkerError } from './alignment-worker.ts';
import { type SoundSource, SoundUnreachableError, SoundUnreadableError } from './decode-sound.ts';
import { getCachedFeatures, computeSoundFeatures } from './sound-features.ts';

export type SoundPassage = { sound: SoundSource; passage: LinePassage };

/**
 * Compares the pitch of one line in the melody and the take, in a worker on this device.
 * @returns null if one of them has no detectable voice
 * @throws SoundUnreachableError; SoundUnreadableError; AlignmentWorkerError; the signal's abort reason
 */
export async function compareLinePitchOnDevice(
  melody: SoundPassage,
  take: SoundPassage,
  syllables: number,
  signal: AbortSignal,
): Promise<ComparedContours | null> {
  const worker = startAlignmentWorker(signal);
  const getFeatures = async ({ sound, passage }: SoundPassage) => {
    const cached = getCachedFeatures(sound);
    return cached ? sliceFeatures(cached, passage) : computeSoundFeatures(sound, worker, { signal, passage });
  };
  try {
    const [ofMelody, ofTake] = [await getFeatures(melody), await getFeatures(take)];
    return (await worker.send({ type: 'compare', melody: ofMelody, take: ofTake, syllables })).contours;
  } finally {
    worker.end();
  }
}

function sliceFeatures({ frames, pitch, bands }: SoundFeatures, { start, end }: LinePassage): SoundFeatures {
  const from = Math.min(frames, Math.max(0, Math.round(start * FRAMES_PER_SECOND)));
  const to = Math.min(frames, Math.max(from, Math.round(end * FRAMES_PER_SECOND)));
  return {
    frames: to - from,
    pitch: pitch.slice(from, to),
    bands: bands.slice(from * BAND_COUNT, to * BAND_COUNT),
  };
}

/**
 * Returns whether an error is due to the connection, the file or the browser, rather than a bug in the page.
 */
export const isExpectedComparisonError = (error: unknown) =>
  error instanceof SoundUnreachableError ||
  error instanceof SoundUnreadableError ||
  error instanceof AlignmentWorkerError;
