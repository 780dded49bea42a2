import { SILENT_FRAME } from './activity.ts';
import type { PathCosts } from './viterbi.ts';

/** Costs in nats. For comparison, a line that is found where it is really sung gains 50 or more. */
const COST = {
  enterLine: 10,
  enterMiddle: 36,
  /** Replaces `enterMiddle` at the beginning of the take. */
  beginMiddle: 14,
  leaveLine: 6,
  leaveMiddle: 24,
  /** Replaces `leaveMiddle` at the end of the take. */
  endMiddle: 10,
  holdLine: 0.5,
  holdPause: 1.5,
  holdMiddle: 8,
};

/** Returns how much information merged frames carry, relative to the same frames without merging. */
export const getInformationShare = (together: number) => INFORMATION_PER_DOUBLING ** Math.log2(together);
const INFORMATION_PER_DOUBLING = 0.65;

/**
 * Computes the path costs of each melody frame: low where a line begins or ends, high in the middle of a line.
 * @param lineOf index of the line, per frame
 * @param activity activity, per frame
 * @param by number of frames that are merged into one
 */
export function computePathCosts(lineOf: Int32Array, activity: Uint8Array, by: number): PathCosts {
  const width = lineOf.length;
  const scale = getInformationShare(by);
  const price = (kind: keyof typeof COST) => new Float32Array(width).fill(scale * COST[kind]);
  const prices = {
    begin: price('beginMiddle'),
    end: price('endMiddle'),
    enter: price('enterMiddle'),
    leave: price('leaveMiddle'),
    hold: price('holdMiddle'),
  };
  for (let at = 0; at < width; at++) {
    if (activity[at] === SILENT_FRAME) {
      prices.end[at]! /= 2;
      prices.leave[at]! /= 2;
      prices.hold[at] = scale * COST.holdPause;
    }
    if (lineOf[at - 1] !== lineOf[at]) {
      prices.begin[at] = scale * COST.enterLine;
      prices.enter[at] = scale * COST.enterLine;
    }
    if (lineOf[at + 1] !== lineOf[at]) {
      prices.end[at] = 0;
      prices.leave[at] = scale * COST.leaveLine;
      prices.hold[at] = scale * COST.holdLine;
    }
  }
  return prices;
}
