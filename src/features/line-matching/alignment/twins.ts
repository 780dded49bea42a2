import type { MelodyModel } from './melody-model.ts';
import type { Occurrence } from './occurrences.ts';
import { viterbi, type Prices } from './viterbi.ts';

/**
 * If another line fits a passage worse by less than this, it may be the one sung there. In nats, and as a share of
 * the found line's gain.
 */
const TOLD_APART = { nats: 8, share: 0.25 };

/**
 * Returns which lines can be told apart from lines that sound like them, such as refrains, or verses that are hummed.
 * Consecutive lines count together: they are known if one of them is unlike all others, or if the whole melody is
 * sung.
 */
export function placedOf(
  ratios: Int8Array,
  model: MelodyModel,
  prices: Prices,
  occurrences: readonly Occurrence[],
  told: number,
): boolean[] {
  const hasTwin = occurrences.map(
    (one) =>
      one.gain - bestOther(ratios, model, prices, one) <
      Math.max(TOLD_APART.nats * told, TOLD_APART.share * one.gain),
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
function bestOther(
  ratios: Int8Array,
  { lines }: MelodyModel,
  prices: Prices,
  { index, from, to }: Occurrence,
): number {
  const width = prices.enter.length;
  const never = new Float32Array(width).fill(Infinity);
  const begin = new Float32Array(width).fill(Infinity);
  const end = prices.end.slice();
  lines.forEach((line, at) => {
    if (at === index) return;
    for (let place = line.from; place < Math.min(line.to, line.from + LOOSE_FRAMES); place++)
      begin[place] = 0;
    for (let place = Math.max(line.from, line.to - LOOSE_FRAMES); place < line.to; place++) end[place] = 0;
  });
  const part = ratios.subarray(from * width, (to + 1) * width);
  const within = { ...prices, begin, end, enter: never, leave: never };
  return viterbi(part, to - from + 1, within, { path: false }).path.score;
}
/** A line's path may begin or end this far inside the line. */
const LOOSE_FRAMES = 6;
