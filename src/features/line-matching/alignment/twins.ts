import type { MelodyModel } from './melody-model.ts';
import type { Occurrence } from './occurrences.ts';
import { viterbi, type Prices } from './viterbi.ts';

/** A line that fits a passage worse by less may be the one that is sung there. In nats, and of what the found one is worth. */
const TOLD_APART = { nats: 8, share: 0.25 };

/**
 * Which lines are told from others that sound like them: refrains, or verses that are hummed. Lines in order are told
 * together, if one of them is like no other, or if all of the melody is sung.
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

/** What the best other line is worth, in nats, where one was found. */
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
/** A line's path may begin and end so much beside it. */
const LOOSE_FRAMES = 6;
