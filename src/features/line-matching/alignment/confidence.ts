import { QUANTIZATION_STEPS_PER_NAT } from './likelihood-ratios.ts';
import type { MelodyModel } from './melody-model.ts';
import type { LineOccurrence } from './occurrences.ts';
import { findBestPath, type PathCosts } from './viterbi.ts';

/** Logistic curves. `at` is the midpoint between unsure and sure, `width` the width of the transition. */
const CURVES = {
  /**
   * Nats per sounding frame, above the score of a shuffled melody. Short takes score higher by chance, so
   * `perRootFrame` raises their midpoint.
   */
  overall: { at: 0.21, width: 0.025, perRootFrame: 1.4 },
  /**
   * Margin, in nats, between the best path and the best alternative, in which something else is sung in the
   * line's place.
   */
  margin: { at: 9, width: 1.5 },
  gain: { at: 14, width: 3 },
  /** Gain per frame, relative to the median of the take's lines. */
  usualGain: { at: 0.42, width: 0.05 },
  /** Difference from the median tempo of the take's lines, in octaves. */
  tempo: { at: 0.55, width: 0.08 },
};
/**
 * Minimum share of a line that the take must cover. A smaller share is accepted for a line at the beginning or
 * end of the take, where it may be cut off.
 */
const MIN_COVERED = 0.7;
export const MIN_EDGE_COVERAGE = 0.3;
/** Minimum number of found lines from which the take's usual tempo can be computed. */
const MIN_LINES_FOR_TEMPO = 3;

/** Returns the confidence of each found line, from 0 to 1. */
export function computeLineConfidences(
  occurrences: readonly LineOccurrence[],
  { lines }: MelodyModel,
  take: {
    active: number;
    gain: number;
    margins: readonly number[];
    /** Information that merged frames carry, relative to the same frames without merging. */
    informationShare: number;
    /** For each line, whether it can be told apart from lines that sound like it. */
    isDistinct: readonly boolean[];
  },
): number[] {
  const { overall, margin, gain, usualGain, tempo } = CURVES;
  const minGain = overall.at + overall.perRootFrame / Math.sqrt(take.active + 1);
  const ofTake = applyCurve(take.gain / (take.active + 1), { at: minGain, width: overall.width });
  const perFrame = occurrences.map(({ gain: nats, from, to }) => nats / (to - from + 1));
  const paces = occurrences.map(({ from, to, firstPlace, lastPlace }) =>
    Math.log2((to - from + 1) / (lastPlace - firstPlace + 1)),
  );
  const [usual, pace] = [median(perFrame), median(paces)];
  return occurrences.map(({ index, gain: nats, firstPlace, lastPlace, isBeginningKnown }, at) => {
    const { from, to } = lines[index]!;
    if (!take.isDistinct[at]! || !isBeginningKnown) return Math.min(0.4, ofTake);
    const isAtAnEnd =
      (at === 0 && firstPlace > from) || (at === occurrences.length - 1 && lastPlace < to - 1);
    const covered = (lastPlace - firstPlace + 1) / (to - from);
    if (covered < (isAtAnEnd ? MIN_EDGE_COVERAGE : MIN_COVERED)) return Math.min(0.2, ofTake);
    const steady =
      occurrences.length < MIN_LINES_FOR_TEMPO ? 1 : 1 - applyCurve(Math.abs(paces[at]! - pace), tempo);
    return Math.min(
      ofTake,
      applyCurve(take.margins[at]! / take.informationShare, margin),
      applyCurve(nats / take.informationShare, gain),
      applyCurve(perFrame[at]! / usual, usualGain),
      steady,
    );
  });
}

const applyCurve = (value: number, { at, width }: { at: number; width: number }) =>
  1 / (1 + Math.exp((at - value) / width));

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/**
 * Returns, for each found line, its margin in nats: by how much the best path that sings the line at its
 * middle frame outscores the best path that does not.
 */
export function computeMargins(
  ratios: Int8Array,
  takeFrames: number,
  model: MelodyModel,
  prices: PathCosts,
  occurrences: readonly LineOccurrence[],
): number[] {
  const width = model.source.length;
  const at = occurrences.map(({ from, to }) => (from + to) >> 1);
  const forward = findBestPath(ratios, takeFrames, prices, { path: false, rows: at }).rows;
  const reversedRatios = ratios.slice().reverse();
  const reversed = {
    begin: prices.end.slice().reverse(),
    end: prices.begin.slice().reverse(),
    enter: prices.leave.slice().reverse(),
    leave: prices.enter.slice().reverse(),
    hold: prices.hold.map((_, j) => prices.hold[width - 2 - j] ?? 0),
  };
  const backward = findBestPath(reversedRatios, takeFrames, reversed, {
    path: false,
    rows: at.map((t) => takeFrames - 1 - t),
  }).rows;
  return occurrences.map(({ index }, one) => {
    const t = at[one]!;
    const there = forward.get(t)!;
    const back = backward.get(takeFrames - 1 - t)!;
    let here = -Infinity;
    // Score of the best path that does not sing this line at frame t. Initially, the score of the best path
    // that is outside the melody at frame t.
    let elsewhere = Math.max(there.outside, 0) + Math.max(back.outside, 0);
    for (let j = 0; j < width; j++) {
      const sung =
        there.sung[j]! + back.sung[width - 1 - j]! - ratios[t * width + j]! / QUANTIZATION_STEPS_PER_NAT;
      const held = j < width - 1 ? there.held[j]! + back.held[width - 2 - j]! : -Infinity;
      const best = Math.max(sung, held);
      if (model.lineOf[j] === index) here = Math.max(here, best);
      else elsewhere = Math.max(elsewhere, best);
    }
    return here - elsewhere;
  });
}
