import type { LineTiming } from '../contract.ts';
import { linesOf } from './parse.ts';

/**
 * Timings of a text that was edited go with their lines: with the same words further down or up, and with a line
 * that was corrected where it stands. Those of lines that are gone are left out.
 */
export function moveTimings(before: string, after: string, timings: readonly LineTiming[]): LineTiming[] {
  const placeOf = placesAfterwards(linesOf(before), linesOf(after));
  return timings.flatMap(({ line, start }) => {
    const moved = placeOf.get(line);
    return moved === undefined ? [] : [{ line: moved, start }];
  });
}

type Pair = readonly [old: number, next: number];

function placesAfterwards(old: readonly string[], next: readonly string[]): Map<number, number> {
  const pairs = samePairs(old, next);
  const places = new Map<number, number>(pairs);
  // As many lines between two that stayed as there were before: those were corrected.
  for (const [i, [oldTo, nextTo]] of pairs.entries()) {
    const [oldFrom, nextFrom] = pairs[i - 1] ?? [-1, -1];
    if (oldTo - oldFrom !== nextTo - nextFrom) continue;
    for (let line = oldFrom + 1; line < oldTo; line += 1) places.set(line, line + nextFrom - oldFrom);
  }
  places.delete(old.length);
  return places;
}

/** Lines that stayed the same, in order, closed by the ends of both texts. */
function samePairs(old: readonly string[], next: readonly string[]): Pair[] {
  const shortest = Math.min(old.length, next.length);
  let head = 0;
  while (head < shortest && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1;

  const pairs: Pair[] = Array.from({ length: head }, (_, line) => [line, line]);
  const places = new Places(next, head, next.length - tail);
  for (let line = head; line < old.length - tail; line += 1) {
    const place = places.next(old[line]!);
    if (place !== null) pairs.push([line, place]);
  }
  for (let line = tail; line >= 0; line -= 1) pairs.push([old.length - line, next.length - line]);
  return pairs;
}

/** Finds lines by their words, each further down than the one before. */
class Places {
  private readonly byWords = new Map<string, { at: number; lines: number[] }>();
  private from: number;

  constructor(lines: readonly string[], from: number, to: number) {
    this.from = from;
    for (let line = from; line < to; line += 1) {
      const words = lines[line]!.trim();
      if (words === '') continue;
      const found = this.byWords.get(words);
      if (found) found.lines.push(line);
      else this.byWords.set(words, { at: 0, lines: [line] });
    }
  }

  next(line: string): number | null {
    const found = this.byWords.get(line.trim());
    if (!found) return null;
    while (found.at < found.lines.length && found.lines[found.at]! < this.from) found.at += 1;
    const place = found.lines[found.at];
    if (place === undefined) return null;
    this.from = place + 1;
    return place;
  }
}
