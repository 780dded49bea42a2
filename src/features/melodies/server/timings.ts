import { badInput } from '#shared/errors.ts';
import type { LineTiming } from '../contract.ts';

type Timed = { melodyText: string | null; timings: LineTiming[] | null };
type Change = {
  melodyText: string | null;
  /** Undefined if none were sent. */
  timings: LineTiming[] | null | undefined;
  hasAudio: boolean;
  isOtherAudio: boolean;
};

/**
 * Returns the timings that remain valid after a change: new audio voids them, a new text keeps those of unchanged
 * lines, and timings sent with the change replace them.
 * @throws AppError 'bad-input' for a line that the text does not have, or that is named twice
 */
export function updateTimings(before: Timed, change: Change): LineTiming[] | null {
  if (!change.hasAudio) return null;
  const lines = splitLines(change.melodyText);
  if (change.timings !== undefined) return emptyToNull(sortTimings(change.timings ?? [], lines.length));
  if (change.isOtherAudio || !before.timings) return null;
  if (change.melodyText === before.melodyText) return before.timings;
  const placeOf = matchUnchangedLines(splitLines(before.melodyText), lines);
  const kept = before.timings.flatMap(({ line, start }) => {
    const place = placeOf.get(line);
    return place === undefined ? [] : [{ line: place, start }];
  });
  return emptyToNull(kept);
}

/**
 * Returns a function that maps a line to its place after a change of the text. A line that was itself changed keeps
 * its distance from the closest unchanged line above; the result never exceeds the last line.
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
 * Returns the new place of each line after a change of the text; null for a line that is gone. If a block of changed
 * lines has the same number of lines as before, each counts as the same line.
 */
export function mapLines(before: string | null, after: string | null): (number | null)[] {
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
  throw badInput(message, [{ path: 'timings', message }]);
}

/** Beyond this, changed lines are not compared: the texts are as long as books and differ throughout. */
const MAX_COMPARISONS = 4_000_000;

/** Maps lines of the old text to those of the new, by longest common subsequence. */
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
 * Returns index pairs, by dynamic programming from the end. `length` is the length of the longest
 * subsequence from there on.
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

/** Splits a text into lines without trailing spaces, which are not sung. */
const splitLines = (text: string | null) =>
  text === null ? [] : text.split('\n').map((line) => line.trimEnd());

const emptyToNull = (timings: LineTiming[]) => (timings.length > 0 ? timings : null);
