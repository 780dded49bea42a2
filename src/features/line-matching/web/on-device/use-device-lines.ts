import { useEffect, useState } from 'react';
import { logUnexpectedError } from '#web/api/call.ts';
import { useRefetchOnReconnect } from '#web/api/use-refetch-on-reconnect.ts';
import { createStore, type ReadableStore } from '#web/store.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import { MIN_LINE_CONFIDENCE } from '#features/line-matching/limits.ts';
import { type LinePassage, getConfidentPassages } from '../passages.ts';
import { AlignmentWorkerError, startAlignmentWorker } from './alignment-worker.ts';
import { SoundUnreachableError, SoundUnreadableError, type SoundSource } from './decode-sound.ts';
import type { FoundLine } from '#features/line-matching/alignment/find-lines.ts';
import { cacheFeatures, getCachedFeatures, computeSoundFeatures } from './sound-features.ts';

export type DeviceLines =
  | { state: 'working' }
  /** Passages by line, excluding guesses. */
  | { state: 'ready'; passages: ReadonlyMap<number, LinePassage> }
  | { state: 'unsure' }
  | { state: 'failed'; failure: LineSearchFailure };

export type LineSearchFailure = 'unreachable' | 'unreadable' | 'no-worker' | 'fault';

const WORKING: DeviceLines = { state: 'working' };

type Melody = { sound: string; starts: readonly LineStart[] };

/**
 * Finds the lines of a melody in a take, on this device, and returns the result and the progress. Handles one
 * take per mount.
 * @param isPaused true aborts the search; when it becomes false again, the search restarts
 */
export function useDeviceLines(melody: Melody, take: Blob, isPaused: boolean) {
  const [lines, setLines] = useState(WORKING);
  const [progress] = useState(() => createStore(0));
  const [attempts, setAttempts] = useState(1);
  const isDone = lines.state === 'ready' || lines.state === 'unsure';
  const tryAgain = () => {
    setLines(WORKING);
    setAttempts((before) => before + 1);
  };

  useEffect(() => {
    if (isPaused || isDone) return;
    const ending = new AbortController();
    const { signal } = ending;
    const show = (next: DeviceLines) => signal.aborted || setLines(next);
    const onProgress = (fraction: number) => signal.aborted || progress.set(Math.floor(fraction * 100));
    progress.set(0);
    findLinesOnDevice(melody, take, { signal, onProgress }).then(
      (found) =>
        show(
          found.some(({ sure }) => sure >= MIN_LINE_CONFIDENCE)
            ? { state: 'ready', passages: getConfidentPassages(found) }
            : { state: 'unsure' },
        ),
      (error: unknown) => {
        if (signal.aborted) return;
        const why = toFailure(error);
        if (why === 'fault') logUnexpectedError(error);
        show({ state: 'failed', failure: why });
      },
    );
    return () => ending.abort();
    // Leaves out the melody and the take, which never change, and `isDone`, which changes only after the work
    // has ended.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isPaused, attempts]);

  const isUnreachable = lines.state === 'failed' && lines.failure === 'unreachable';
  useRefetchOnReconnect({ isError: isUnreachable, refetch: tryAgain });

  return { lines, progress, tryAgain };
}

function toFailure(error: unknown): LineSearchFailure {
  if (error instanceof SoundUnreachableError) return 'unreachable';
  if (error instanceof SoundUnreadableError) return 'unreadable';
  return error instanceof AlignmentWorkerError ? 'no-worker' : 'fault';
}

/**
 * Progress of the search, in per cent. A separate store, so that the list does not re-render at each of a
 * hundred steps.
 */
export type LineSearchPercentStore = ReadableStore<number>;

/**
 * Shares of the total time, measured on a phone, for decoding the melody and the take and extracting their
 * features. The search itself takes the rest.
 */
const PROGRESS_SHARES = { melody: 0.25, take: 0.2 };

type Options = {
  signal: AbortSignal;
  /** Called with fractions from 0 to 1. */
  onProgress: (fraction: number) => void;
  start?: typeof startAlignmentWorker;
};

/**
 * Finds the lines of a melody in a take, in a worker on this device.
 * @throws SoundUnreachableError for the melody; SoundUnreadableError; AlignmentWorkerError; the signal's abort
 * reason
 */
async function findLinesOnDevice(
  melody: { sound: string; starts: readonly LineStart[] },
  take: Blob,
  { signal, onProgress, start = startAlignmentWorker }: Options,
): Promise<FoundLine[]> {
  const worker = start(signal);
  const getFeatures = async (sound: SoundSource, from: number, share: number) => {
    const features =
      getCachedFeatures(sound) ??
      (await computeSoundFeatures(sound, worker, {
        signal,
        onProgress: (part) => onProgress(from + share * part),
      }));
    cacheFeatures(sound, features);
    onProgress(from + share);
    return features;
  };
  try {
    const ofMelody = await getFeatures(melody.sound, 0, PROGRESS_SHARES.melody);
    const ofTake = await getFeatures(take, PROGRESS_SHARES.melody, PROGRESS_SHARES.take);
    const heard = PROGRESS_SHARES.melody + PROGRESS_SHARES.take;
    const { lines } = await worker.send(
      { type: 'find', melody: ofMelody, starts: melody.starts, take: ofTake },
      { onProgress: (part) => onProgress(heard + (1 - heard) * part) },
    );
    return lines;
  } finally {
    worker.end();
  }
}
