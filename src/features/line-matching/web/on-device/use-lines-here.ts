import { useEffect, useState } from 'react';
import { noteFault } from '#web/api/call.ts';
import { useRefetchOnline } from '#web/api/use-refetch-online.ts';
import { createStore, type Readable } from '#web/store.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import { SURE } from '#features/line-matching/limits.ts';
import { type LinePassage, surePassages } from '../passages.ts';
import { WorkerFailed, startAlignmentWorker } from './alignment-worker.ts';
import { SoundUnreachable, SoundUnreadable, type AnySound } from './decode-sound.ts';
import type { FoundLine } from '#features/line-matching/alignment/find-lines.ts';
import { keepFeatures, keptFeatures, listenTo } from './sound-features.ts';

export type LinesHere =
  | { state: 'working' }
  /** Passages of the lines that were surely found, by line. */
  | { state: 'ready'; passages: ReadonlyMap<number, LinePassage> }
  | { state: 'unsure' }
  | { state: 'failed'; why: Failure };

export type Failure = 'unreachable' | 'unreadable' | 'no-worker' | 'fault';

const BEGUN: LinesHere = { state: 'working' };

type Melody = { sound: string; starts: readonly LineStart[] };

/**
 * Finds the lines of a melody in a take, on this device. Handles one take per mount.
 * @param isHeld aborts the work, which starts again once it is false
 */
export function useLinesHere(melody: Melody, take: Blob, isHeld: boolean) {
  const [lines, setLines] = useState(BEGUN);
  const [progress] = useState(() => createStore(0));
  const [tries, setTries] = useState(1);
  const isDone = lines.state === 'ready' || lines.state === 'unsure';
  const tryAgain = () => {
    setLines(BEGUN);
    setTries((before) => before + 1);
  };

  useEffect(() => {
    if (isHeld || isDone) return;
    const ending = new AbortController();
    const { signal } = ending;
    const show = (next: LinesHere) => signal.aborted || setLines(next);
    const onProgress = (fraction: number) => signal.aborted || progress.set(Math.floor(fraction * 100));
    progress.set(0);
    findLinesHere(melody, take, { signal, onProgress }).then(
      (found) =>
        show(
          found.some(({ sure }) => sure >= SURE)
            ? { state: 'ready', passages: surePassages(found) }
            : { state: 'unsure' },
        ),
      (error: unknown) => {
        if (signal.aborted) return;
        const why = failureOf(error);
        if (why === 'fault') noteFault(error);
        show({ state: 'failed', why });
      },
    );
    return () => ending.abort();
    // The melody and the take never change, and `isDone` only changes once the work has ended.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isHeld, tries]);

  const isUnreachable = lines.state === 'failed' && lines.why === 'unreachable';
  useRefetchOnline({ isError: isUnreachable, refetch: tryAgain });

  return { lines, progress, tryAgain };
}

function failureOf(error: unknown): Failure {
  if (error instanceof SoundUnreachable) return 'unreachable';
  if (error instanceof SoundUnreadable) return 'unreadable';
  return error instanceof WorkerFailed ? 'no-worker' : 'fault';
}

/** In per cent. A separate store, so that the list does not re-render at each of a hundred steps. */
export type Progress = Readable<number>;

/** Shares of the total time, on a phone. */
const SHARES = { melody: 0.25, take: 0.2 };

type Options = {
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (fraction: number) => void;
  start?: typeof startAlignmentWorker;
};

/**
 * Finds the lines of a melody in a take, in a worker on this device.
 * @throws SoundUnreachable for the melody; SoundUnreadable; WorkerFailed; the signal's abort reason
 */
async function findLinesHere(
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
