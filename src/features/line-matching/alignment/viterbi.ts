import { QUANTIZATION_STEPS_PER_NAT } from './likelihood-ratios.ts';

/** Costs of a path through a melody, in nats, per frame of the melody. */
export type PathCosts = {
  /** Cost of beginning here if nothing was sung before. */
  begin: Float32Array;
  /** Cost of ending after this frame if nothing is sung afterwards. */
  end: Float32Array;
  /** Cost of beginning here after something else was sung. */
  enter: Float32Array;
  /** Cost of leaving the melody after this frame. */
  leave: Float32Array;
  /** Cost of standing still after this frame, for a pause or talk of any length. */
  hold: Float32Array;
};

/** Cost per frame at half or twice the pace. */
const SLOPE_COST = 0.25;

/**
 * A path and its score. `places` contains the melody frame for each take frame; -1 if the melody is not sung
 * there.
 */
export type BestPath = { places: Int32Array; score: number };

const FROM_ONE = 0;
const FROM_SLOWER = 1;
const FROM_FASTER = 2;
const FROM_HOLD = 3;
const FROM_OUTSIDE = 4;
const FROM_BEFORE = 5;
const HOLD_BEGAN = 8;

/** Scores of the best paths from the beginning to each place, by frame of the take. */
export type PathScoresByFrame = Map<number, { sung: Float32Array; held: Float32Array; outside: number }>;

/**
 * Finds the best path and its score. Slopes range from ½ to 2, pauses are possible, and time outside the melody
 * costs nothing.
 * @param ratios log-likelihood ratios, with a row for each take frame and a column for each melody frame
 * @param keep `path`: false to compute only the score; `rows`: take frames whose scores are returned
 */
export function findBestPath(
  ratios: Int8Array,
  takeFrames: number,
  { begin, end, enter, leave, hold }: PathCosts,
  keep?: { path?: boolean; rows?: Iterable<number> },
): { path: BestPath; rows: PathScoresByFrame } {
  const width = enter.length;
  let sung = new Float32Array(width).fill(-Infinity);
  let before = new Float32Array(width).fill(-Infinity);
  let next = new Float32Array(width);
  let held = new Float32Array(width).fill(-Infinity);
  let heldNext = new Float32Array(width);
  /** Best score outside all lines; -Infinity until the first line has been left. */
  let outside = -Infinity;
  const withPath = keep?.path ?? true;
  const steps = withPath ? new Uint8Array(takeFrames * width) : null;
  const leftFrom = new Int32Array(takeFrames + 1).fill(-1);
  const wantedRows = new Set(keep?.rows ?? []);
  const rows: PathScoresByFrame = new Map();
  for (let t = 0; t < takeFrames; t++) {
    const row = t * width;
    const rowBefore = row - width;
    // Finds the best score outside all lines at this frame: the path was already outside, or leaves a line
    // after the previous frame.
    let out = outside;
    for (let j = 0; j < width; j++) {
      const left = sung[j]! - leave[j]!;
      if (left > out) {
        out = left;
        leftFrom[t] = j;
      }
      const leftHold = held[j]! - leave[j]!;
      if (leftHold > out) {
        out = leftHold;
        leftFrom[t] = j + width;
      }
    }
    for (let j = 0; j < width; j++) {
      const here = ratios[row + j]! / QUANTIZATION_STEPS_PER_NAT;
      let best = -begin[j]!;
      let step = FROM_BEFORE;
      const entered = out - enter[j]!;
      if (entered > best) {
        best = entered;
        step = FROM_OUTSIDE;
      }
      if (j > 0) {
        const one = sung[j - 1]!;
        if (one > best) {
          best = one;
          step = FROM_ONE;
        }
        const faster = j > 1 ? sung[j - 2]! - SLOPE_COST : -Infinity;
        if (faster > best) {
          best = faster;
          step = FROM_FASTER;
        }
        if (t > 0) {
          const slower = before[j - 1]! + ratios[rowBefore + j]! / QUANTIZATION_STEPS_PER_NAT - SLOPE_COST;
          if (slower > best) {
            best = slower;
            step = FROM_SLOWER;
          }
        }
        const resumed = held[j - 1]!;
        if (resumed > best) {
          best = resumed;
          step = FROM_HOLD;
        }
      }
      next[j] = best + here;
      const begun = sung[j]! - hold[j]!;
      const still = held[j]!;
      if (begun > still) {
        heldNext[j] = begun;
        step |= HOLD_BEGAN;
      } else heldNext[j] = still;
      if (steps) steps[row + j] = step;
    }
    outside = out;
    [before, sung, next] = [sung, next, before];
    [held, heldNext] = [heldNext, held];
    if (wantedRows.has(t)) rows.set(t, { sung: sung.slice(), held: held.slice(), outside });
  }
  let score = 0;
  if (outside > score) score = outside;
  for (let j = 0; j < width; j++) {
    const left = Math.max(sung[j]!, held[j]!) - end[j]!;
    if (left > score) {
      score = left;
      leftFrom[takeFrames] = sung[j]! >= held[j]! ? j : j + width;
    }
  }
  const places = new Int32Array(takeFrames).fill(-1);
  if (steps) traceBack(steps, leftFrom, places, width);
  return { path: { places, score }, rows };
}

function traceBack(steps: Uint8Array, leftFrom: Int32Array, places: Int32Array, width: number): void {
  let t = places.length - 1;
  // Place in the melody from which the path moved outside, at the end or before frame t + 1; -1 if it was outside
  // already. A held place is stored as place + width.
  let from = leftFrom[t + 1]!;
  while (t >= 0) {
    if (from < 0) {
      from = leftFrom[t--]!;
      continue;
    }
    if (from >= width) {
      // The path holds at this frame. If the hold began here, place j was sung in the previous frame. If not,
      // the path was already holding.
      const j = from - width;
      if (steps[t * width + j]! & HOLD_BEGAN) from = j;
      t--;
      continue;
    }
    const step = steps[t * width + from]! & 7;
    places[t] = from;
    if (step === FROM_BEFORE) return;
    if (step === FROM_OUTSIDE) from = leftFrom[t]!;
    else if (step === FROM_ONE) from--;
    else if (step === FROM_FASTER) from -= 2;
    else if (step === FROM_HOLD) from += width - 1;
    else {
      places[--t] = from;
      from--;
    }
    t--;
  }
}
