import { useMemo } from 'react';
import { type LineTiming, toLineStarts } from '../timings.ts';
import { useSungText } from './read-only-sung-text.tsx';

export type TimedText = ReturnType<typeof useTimedText>;

/**
 * Returns a melody's words with the times of their lines.
 * @param melody `melodyText` is missing until the words are loaded, and `timings` until the details are loaded
 */
export function useTimedText(melody: {
  melodyText?: string | null | undefined;
  timings?: readonly LineTiming[] | null | undefined;
}) {
  const timings = melody.timings ?? null;
  const text = useSungText(melody.melodyText ?? null);
  const passages = useMemo(() => toLineStarts(text.lines, timings), [text.lines, timings]);
  const starts = useMemo(() => new Map(passages.map(({ index, start }) => [index, start])), [passages]);
  return { ...text, passages, starts };
}
