import { useEffect, useState } from 'react';
import { noteFault } from '#web/api/call.ts';
import { createStore, type Readable } from '#web/store.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import { SURE } from '#features/line-matching/limits.ts';
import { type LinePassage, surePassages } from '../passages.ts';
import { WorkerFailed } from './alignment-worker.ts';
import { SoundUnreachable, SoundUnreadable } from './decode-sound.ts';
import { findLinesHere } from './find-lines-here.ts';

export type LinesHere =
  | { state: 'working' }
  /** Where lines are sung, as far as that is sure of some. */
  | { state: 'ready'; passages: ReadonlyMap<number, LinePassage> }
  | { state: 'unsure' }
  | { state: 'failed'; why: Failure };

export type Failure = 'unreachable' | 'unreadable' | 'no-worker' | 'fault';

const BEGUN: LinesHere = { state: 'working' };

type Melody = { sound: string; starts: readonly LineStart[] };

/**
 * The lines of a melody in a take, found on this device. One take for each mounting.
 * @param isHeld breaks the work off, which begins anew afterwards
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
    // The melody and the take stay the same; `isDone` ends nothing that goes on.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isHeld, tries]);

  const isOutOfReach = lines.state === 'failed' && lines.why === 'unreachable';
  useEffect(() => {
    if (!isOutOfReach) return;
    addEventListener('online', tryAgain);
    return () => removeEventListener('online', tryAgain);
  }, [isOutOfReach]);

  return { lines, progress, tryAgain };
}

function failureOf(error: unknown): Failure {
  if (error instanceof SoundUnreachable) return 'unreachable';
  if (error instanceof SoundUnreadable) return 'unreadable';
  return error instanceof WorkerFailed ? 'no-worker' : 'fault';
}

/** In per cent. A store of its own, so that the list does not re-render with each of a hundred steps. */
export type Progress = Readable<number>;
