import { createBadInputError } from '#shared/errors.ts';
import type { LineTiming } from '../contract.ts';

type Timed = { melodyText: string | null; timings: LineTiming[] | null };
type Change = {
  melodyText: string | null;
  /** Undefined if no timings were sent; null to remove them. */
  timings: LineTiming[] | null | undefined;
  hasAudio: boolean;
  isOtherAudio: boolean;
};

/**
 * Returns a melody's timings after a change; null without timings or audio. Timings sent with the change
 * replace the old ones. Otherwise, new audio removes all timings, and a new text keeps those of unchanged
 * lines.
 * @throws AppError 'bad-input' if a sent timing is for a line that the text does not have, or two are for the
 * same line
 */
export function computeUpdatedTimings(before: Timed, change: Change): LineTiming[] | null {
  if (!change.hasAudio) return null;
  const lines = splitLines(change.melodyText);
  if (change.timings !== undefined) return emptyToNull(sortTimings(change.timings ?? [], lines.length));
  if (change.isOtherAudio || !before.timings) return null;
  if (change.melodyText === before.melodyText) return before.timings;
  const placeOf = matchUnchangedLines(splitLines(before.melodyText), lines);
  const remaining = before.timings.flatMap(({ line, start }) => {
    const place = placeOf.get(line);
    return place === undefined ? [] : [{ line: place, start }];
  });
  return emptyToNull(remaining);
}

/**
 * Returns a function that maps a line to its index after a change to the text. A changed line keeps its
 * distance from the closest unchanged line above it. The result never exceeds the last line.
 */
export function createLineMapper(before: string | null, after: string | null): (line: number) => number {
  const lines = splitLines(after);
  const placeOf = matchUnchangedLines(splitLines(before), lines);
  const last = Math.max(0, lines.length - 1);
  return (line) => {
    let above = line;
    while (above >= 0 && !placeOf.has(above)) above -= 1;
    return Math.min(last, line + (placeOf.get(above) ?? above) - above);
  };
}

/**
 * Returns the new index of each line after a change to the text; null for a removed line. If a block of
 * changed lines has as many lines as before, each line is mapped to the line in its place.
 */
export function mapLineIndexes(before: string | null, after: string | null): (number | null)[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  const placeOf = matchUnchangedLines(old, now).set(-1, -1).set(old.length, now.length);
  return old.map((_, line) => {
    let [above, below] = [line, line];
    while (!placeOf.has(above)) above -= 1;
    while (!placeOf.has(below)) below += 1;
    const [from, to] = [placeOf.get(above)!, placeOf.get(below)!];
    return below - above === to - from ? from + line - above : null;
  });
}

function sortTimings(timings: LineTiming[], lineCount: number): LineTiming[] {
  const sorted = timings.toSorted((one, other) => one.line - other.line);
  const isFine = sorted.every(
    ({ line }, index) => line < lineCount && (index === 0 || line > sorted[index - 1]!.line),
  );
  if (isFine) return sorted;
  const message = 'The line timing doesn’t match the words. Please time the lines again.';
  throw createBadInputError(message, [{ path: 'timings', message }]);
}

/**
 * Maximum number of comparisons between changed lines. Texts that would need more are as long as books and
 * differ throughout, so their changed lines are not compared.
 */
const MAX_COMPARISONS = 4_000_000;

/** Maps the unchanged lines of the old text to their indexes in the new text, by longest common subsequence. */
function matchUnchangedLines(before: string[], after: string[]): Map<number, number> {
  const places = new Map<number, number>();
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    places.set(start, start);
    start += 1;
  }
  let end = 0;
  while (
    before.length - end > start &&
    after.length - end > start &&
    before.at(-1 - end) === after.at(-1 - end)
  ) {
    places.set(before.length - 1 - end, after.length - 1 - end);
    end += 1;
  }
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  if (old.length * now.length <= MAX_COMPARISONS)
    for (const [from, to] of findCommonLines(old, now)) places.set(start + from, start + to);
  return places;
}

/**
 * Returns the index pairs of a longest common subsequence, by dynamic programming from the end. For each pair
 * of indexes, `length` contains the length of the longest common subsequence of the lines from there on.
 */
function findCommonLines(old: string[], now: string[]): [number, number][] {
  const width = now.length + 1;
  const length = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      length[i * width + j] =
        old[i] === now[j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    if (old[i] === now[j]) pairs.push([i++, j++]);
    else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Splits a text into lines and removes trailing spaces, because they are not sung. */
const splitLines = (text: string | null) =>
  text === null ? [] : text.split('\n').map((line) => line.trimEnd());

const emptyToNull = (timings: LineTiming[]) => (timings.length > 0 ? timings : null);
