import type { SungLine } from './parse.ts';

/** The stored form of a line's start time. */
export type LineTiming = {
  /** Index of the typed line, from 0. */
  line: number;
  /** In seconds, from the beginning of the melody. */
  start: number;
};

/** The start time of a sung line. Each sung line has only one start, because repeated words are typed again. */
export type SungLineStart = {
  /** Index of the sung line. */
  index: number;
  /** In seconds, from the beginning of the melody. */
  start: number;
};

/** Converts stored timings to passages, sorted by time. Skips timings that refer to no line of the text. */
export function toLineStarts(
  lines: readonly SungLine[],
  timings: readonly LineTiming[] | null,
): SungLineStart[] {
  const indexOf = new Map(
    lines.flatMap(({ index, parts }) => parts.map(({ line }) => [line, index] as const)),
  );
  return normalizeLineStarts(
    (timings ?? []).flatMap(({ line, start }) => {
      const index = indexOf.get(line);
      return index === undefined || !Number.isFinite(start) ? [] : [{ index, start }];
    }),
  );
}

/** Converts passages to timings for storage. Each timing refers to the first typed line of its sung line. */
export const toLineTimings = (lines: readonly SungLine[], passages: readonly SungLineStart[]): LineTiming[] =>
  normalizeLineStarts(passages).flatMap(({ index, start }) => {
    const line = lines[index]?.parts[0]?.line;
    return line === undefined ? [] : [{ line, start }];
  });

/** Sorts passages by time. If a line occurs more than once, its earliest time counts. */
export function normalizeLineStarts(passages: readonly SungLineStart[]): SungLineStart[] {
  const taken = new Set<number>();
  return [...passages]
    .sort((a, b) => a.start - b.start || a.index - b.index)
    .filter(({ index }) => !taken.has(index) && taken.add(index));
}

/** Returns the index of the passage that is sung at the given time, or -1 before the first passage. */
export function findPassageIndexAt(passages: readonly SungLineStart[], seconds: number): number {
  let [from, to] = [0, passages.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (passages[middle]!.start <= seconds) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Returns the start of a sung line, or null if the line has no time. */
export const findLineStart = (passages: readonly SungLineStart[], index: number) =>
  passages.find((passage) => passage.index === index)?.start ?? null;

/**
 * Returns the section from the beginning of one line to the end of the other. The lines can be given in either
 * order. A line ends where the next passage begins, and the last line ends with the melody.
 * @returns null if either line has no time, or the section is empty
 */
export function findLoopOverLines(
  passages: readonly SungLineStart[],
  one: number,
  other: number,
  end: number,
) {
  const [here, there] = [findLineStart(passages, one), findLineStart(passages, other)];
  if (here === null || there === null) return null;
  const [a, last] = here <= there ? [here, there] : [there, here];
  const b = passages.find(({ start }) => start > last)?.start ?? end;
  return b > a ? { a, b } : null;
}

/**
 * Maximum difference between times that count as equal. It is inaudible, and smaller than the smallest step of
 * a loop point.
 */
const LOOP_TOLERANCE_SECONDS = 0.01;

/** Returns the first and last line of a loop that consists of whole lines, or null for any other loop. */
export function findLoopedLines(
  passages: readonly SungLineStart[],
  { a, b }: { a: number; b: number },
  end: number,
) {
  const first = passages.find(({ start }) => Math.abs(start - a) < LOOP_TOLERANCE_SECONDS);
  const last = passages.findLast(({ start }) => start < b - LOOP_TOLERANCE_SECONDS);
  if (!first || !last) return null;
  const stretch = findLoopOverLines(passages, first.index, last.index, end);
  const isWhole = stretch !== null && Math.abs(stretch.b - b) < LOOP_TOLERANCE_SECONDS;
  return isWhole ? { from: first.index, to: last.index } : null;
}
