import { MIN_LINE_CONFIDENCE } from './limits.ts';

type Found = { line: number; start: number; end: number; sure: number };

export type LineDeviations = {
  leftOut: number[];
  repeated: { line: number; times: number }[];
};

/**
 * Maximum pause between two sung lines, as a share of the duration of the lines missing between them. In a
 * longer pause, the missing lines may have been sung without being recognized.
 */
const MAX_PAUSE_SHARE = 0.5;

/**
 * Returns the lines that were certainly left out or repeated. A line counts as left out only if lines before
 * and after it were sung in a row, so practising a part of the melody leaves nothing out.
 * @param found in the order in which they are sung
 * @param timings in any order, in seconds from the start of the melody
 */
export function findLineDeviations(
  found: readonly Found[],
  timings: readonly { line: number; start: number }[],
): LineDeviations {
  const order = timings.toSorted((one, other) => one.start - other.start);
  const indexByLine = new Map(order.map(({ line }, place) => [line, place]));
  const anywhere = new Set(found.map(({ line }) => line));
  const leftOut = found.flatMap((line, at) => {
    const next = found[at + 1];
    if (!next || line.sure < MIN_LINE_CONFIDENCE || next.sure < MIN_LINE_CONFIDENCE) return [];
    const [from, to] = [indexByLine.get(line.line), indexByLine.get(next.line)];
    if (from === undefined || to === undefined || to <= from + 1) return [];
    const missing = order[to]!.start - order[from + 1]!.start;
    if (next.start - line.end > missing * MAX_PAUSE_SHARE) return [];
    return order.slice(from + 1, to).flatMap((each) => (anywhere.has(each.line) ? [] : [each.line]));
  });
  const repeated = order.flatMap(({ line }) => {
    const times = found.filter((each) => each.line === line && each.sure >= MIN_LINE_CONFIDENCE).length;
    return times > 1 ? [{ line, times }] : [];
  });
  return { leftOut: [...new Set(leftOut)], repeated };
}
