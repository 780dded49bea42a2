import type { SungLine } from './parse.ts';

/** When a typed line begins, as it is stored. */
export type LineTiming = {
  /** Number of the typed line, from 0. */
  line: number;
  /** Seconds. */
  start: number;
};

/** The moment at which a sung line begins. A line has only one: what is sung again is written again. */
export type Passage = {
  /** Index of the sung line. */
  index: number;
  /** Seconds. */
  start: number;
};

/** Stored timings by sung line, sorted by time; those that name no line of the text are left out. */
export function passagesOf(lines: readonly SungLine[], timings: readonly LineTiming[] | null): Passage[] {
  const indexOf = new Map(
    lines.flatMap(({ index, parts }) => parts.map(({ line }) => [line, index] as const)),
  );
  return inOrder(
    (timings ?? []).flatMap(({ line, start }) => {
      const index = indexOf.get(line);
      return index === undefined || !Number.isFinite(start) ? [] : [{ index, start }];
    }),
  );
}

/** The timings to store, by the number of a sung line's first typed line. */
export const timingsOf = (lines: readonly SungLine[], passages: readonly Passage[]): LineTiming[] =>
  inOrder(passages).flatMap(({ index, start }) => {
    const line = lines[index]?.parts[0]?.line;
    return line === undefined ? [] : [{ line, start }];
  });

/** Sorted by time; if a line occurs more than once, the first time counts. */
export function inOrder(passages: readonly Passage[]): Passage[] {
  const taken = new Set<number>();
  return [...passages]
    .sort((a, b) => a.start - b.start || a.index - b.index)
    .filter(({ index }) => !taken.has(index) && taken.add(index));
}

/** Index of the passage that is sung at a moment; -1 before the first. */
export function placeAt(passages: readonly Passage[], seconds: number): number {
  let [from, to] = [0, passages.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (passages[middle]!.start <= seconds) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Null for a line without a time. */
export const startOf = (passages: readonly Passage[], index: number) =>
  passages.find((passage) => passage.index === index)?.start ?? null;

/**
 * The stretch from the beginning of one line to the end of another, given in either order: a line ends where the next
 * passage begins, the last one with the melody.
 * @returns null when one of them has no time, or the stretch is empty
 */
export function stretchOf(passages: readonly Passage[], one: number, other: number, end: number) {
  const [here, there] = [startOf(passages, one), startOf(passages, other)];
  if (here === null || there === null) return null;
  const [a, last] = here <= there ? [here, there] : [there, here];
  const b = passages.find(({ start }) => start > last)?.start ?? end;
  return b > a ? { a, b } : null;
}

/** Smaller than any audible difference, and than any step by which a point is moved. */
const SAME = 0.01;

/** The lines that a loop consists of, from the beginning of one to the end of another; null for any other loop. */
export function linesOf(passages: readonly Passage[], { a, b }: { a: number; b: number }, end: number) {
  const first = passages.find(({ start }) => Math.abs(start - a) < SAME);
  const last = passages.findLast(({ start }) => start < b - SAME);
  if (!first || !last) return null;
  const stretch = stretchOf(passages, first.index, last.index, end);
  const isWhole = stretch !== null && Math.abs(stretch.b - b) < SAME;
  return isWhole ? { from: first.index, to: last.index } : null;
}
