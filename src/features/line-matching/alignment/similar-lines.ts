import type { MelodyModel } from './melody-model.ts';
import type { Occurrence } from './occurrences.ts';
import { findBestPath, type PathCosts } from './viterbi.ts';

/**
 * If another line fits a passage worse by less than this, it may be the one sung there. In nats, and as a share of
 * the found line's gain.
 */
const MIN_DIFFERENCE = { nats: 8, share: 0.25 };

/**
 * Returns which lines can be told apart from lines that sound like them, such as refrains, or verses that are hummed.
 * Consecutive lines count together: they are known if one of them is unlike all others, or if the whole melody is
 * sung.
 */
export function findDistinctLines(
  ratios: Int8Array,
  model: MelodyModel,
  prices: PathCosts,
  occurrences: readonly Occurrence[],
  informationShare: number,
): boolean[] {
  const hasTwin = occurrences.map(
    (one) =>
      one.gain - getBestOtherGain(ratios, model, prices, one) <
      Math.max(MIN_DIFFERENCE.nats * informationShare, MIN_DIFFERENCE.share * one.gain),
  );
  const placed: boolean[] = [];
  for (let first = 0; first < occurrences.length;) {
    let last = first;
    while (occurrences[last + 1]?.index === occurrences[last]!.index + 1) last++;
    const isWhole = occurrences[first]!.index === 0 && occurrences[last]!.index === model.lines.length - 1;
    const isKnown = isWhole || hasTwin.slice(first, last + 1).includes(false);
    for (; first <= last; first++) placed.push(isKnown);
  }
  return placed;
}

/** Returns the gain of the best other line where a line was found, in nats. */
function getBestOtherGain(
  ratios: Int8Array,
  { lines }: MelodyModel,
  prices: PathCosts,
  { index, from, to }: Occurrence,
): number {
  const width = prices.enter.length;
  const never = new Float32Array(width).fill(Infinity);
  const begin = new Float32Array(width).fill(Infinity);
  const end = prices.end.slice();
  lines.forEach((line, at) => {
    if (at === index) return;
    for (let place = line.from; place < Math.min(line.to, line.from + EDGE_FRAMES); place++) begin[place] = 0;
    for (let place = Math.max(line.from, line.to - EDGE_FRAMES); place < line.to; place++) end[place] = 0;
  });
  const part = ratios.subarray(from * width, (to + 1) * width);
  const within = { ...prices, begin, end, enter: never, leave: never };
  return findBestPath(part, to - from + 1, within, { path: false }).path.score;
}
/** A line's path may begin or end this far inside the line. */
const EDGE_FRAMES = 6;
