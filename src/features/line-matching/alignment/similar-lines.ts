import type { MelodyModel } from './melody-model.ts';
import type { LineOccurrence } from './occurrences.ts';
import { findBestPath, type PathCosts } from './viterbi.ts';

/**
 * Minimum difference between the gains of the found line and the best other line, in nats and as a share of the
 * found line's gain. If the difference is smaller, the other line may be the one that is sung.
 */
const MIN_DIFFERENCE = { nats: 8, share: 0.25 };

/**
 * Returns, for each found line, whether it can be told apart from the melody's other lines. Refrains and hummed
 * verses, for example, sound alike. Consecutive lines are judged together: they are distinct if one of them is
 * unlike all other lines, or if they are the whole melody.
 */
export function computeLineDistinctness(
  ratios: Int8Array,
  model: MelodyModel,
  prices: PathCosts,
  occurrences: readonly LineOccurrence[],
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

/** Returns the gain, in nats, of the best competing line in the same passage. */
function getBestOtherGain(
  ratios: Int8Array,
  { lines }: MelodyModel,
  prices: PathCosts,
  { index, from, to }: LineOccurrence,
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
/** The path of a competing line may begin this many frames late and end this many frames early. */
const EDGE_FRAMES = 6;
