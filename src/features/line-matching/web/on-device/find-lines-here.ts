import type { FoundLine } from '#features/line-matching/alignment/find-lines.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import { startAlignmentWorker } from './alignment-worker.ts';
import type { AnySound } from './decode-sound.ts';
import { keepFeatures, keptFeatures } from './kept-features.ts';
import { listenTo } from './sound-features.ts';

/** Of the whole, as it goes on a phone. */
const SHARES = { melody: 0.25, take: 0.2 };

type Options = {
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (fraction: number) => void;
  start?: typeof startAlignmentWorker;
};

/**
 * Where the lines of a melody are sung in a take, found on this device, beside the page.
 * @throws SoundUnreachable for the melody; SoundUnreadable; WorkerFailed; what the signal was aborted with
 */
export async function findLinesHere(
  melody: { sound: string; starts: readonly LineStart[] },
  take: Blob,
  { signal, onProgress, start = startAlignmentWorker }: Options,
): Promise<FoundLine[]> {
  const worker = start(signal);
  const hear = async (sound: AnySound, from: number, share: number) => {
    const features =
      keptFeatures(sound) ??
      (await listenTo(sound, worker, { signal, onProgress: (part) => onProgress(from + share * part) }));
    keepFeatures(sound, features);
    onProgress(from + share);
    return features;
  };
  try {
    const ofMelody = await hear(melody.sound, 0, SHARES.melody);
    const ofTake = await hear(take, SHARES.melody, SHARES.take);
    const heard = SHARES.melody + SHARES.take;
    const { lines } = await worker.ask(
      { type: 'find', melody: ofMelody, starts: melody.starts, take: ofTake },
      { onProgress: (part) => onProgress(heard + (1 - heard) * part) },
    );
    return lines;
  } finally {
    worker.end();
  }
}
