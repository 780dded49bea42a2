import { FRAMES_PER_SECOND, BANDS, type Features } from '#features/line-matching/alignment/features.ts';
import type { LinePassage } from '../passages.ts';
import type { ComparedContours } from '../pitch/compared-contours.ts';
import { startAlignmentWorker, WorkerFailed } from './alignment-worker.ts';
import { type AnySound, SoundUnreachable, SoundUnreadable } from './decode-sound.ts';
import { keptFeatures, listenTo } from './sound-features.ts';

export type SungPassage = { sound: AnySound; passage: LinePassage };

/**
 * Compares the pitch of one line in two sounds, in a worker on this device.
 * @returns null if one of them has no voice
 * @throws SoundUnreachable; SoundUnreadable; WorkerFailed; the signal's abort reason
 */
export async function compareHere(
  melody: SungPassage,
  take: SungPassage,
  syllables: number,
  signal: AbortSignal,
): Promise<ComparedContours | null> {
  const worker = startAlignmentWorker(signal);
  const hear = async ({ sound, passage }: SungPassage) => {
    const kept = keptFeatures(sound);
    return kept ? cutOut(kept, passage) : listenTo(sound, worker, { signal, passage });
  };
  try {
    const [ofMelody, ofTake] = [await hear(melody), await hear(take)];
    return (await worker.ask({ type: 'compare', melody: ofMelody, take: ofTake, syllables })).contours;
  } finally {
    worker.end();
  }
}

function cutOut({ frames, pitch, bands }: Features, { start, end }: LinePassage): Features {
  const from = Math.min(frames, Math.max(0, Math.round(start * FRAMES_PER_SECOND)));
  const to = Math.min(frames, Math.max(from, Math.round(end * FRAMES_PER_SECOND)));
  return { frames: to - from, pitch: pitch.slice(from, to), bands: bands.slice(from * BANDS, to * BANDS) };
}

/** Returns whether an error is due to the connection, the file or the browser, rather than a bug in the page. */
export const isExpected = (error: unknown) =>
  error instanceof SoundUnreachable || error instanceof SoundUnreadable || error instanceof WorkerFailed;
