import { type LineFrames, TIMBRE_SIZE } from './line-frames.ts';

/** Distance, in frames, over which the change of timbre is measured. */
const CHANGE_DISTANCE = 2;
/** Penalty for a syllable that is longer or shorter than the others. */
const EVENNESS_WEIGHT = 0.6;
const MIN_SYLLABLE_FRAMES = 3;

/**
 * Estimates where syllables begin in a line, given only how many there are: where the sound changes most, at a
 * pace that is not too uneven. Returns frames, starting with 0; null if the line is too short for that many
 * syllables.
 */
export function findSyllableStarts(line: LineFrames, count: number): number[] | null {
  const { frames } = line;
  if (count < 1 || frames < count * MIN_SYLLABLE_FRAMES) return null;
  const change = computeChanges(line);
  const mean = frames / count;
  const shape = (length: number) => EVENNESS_WEIGHT * Math.log(length / mean) ** 2;
  // best[t]: score of the best path in which the n-th syllable begins at t.
  let best = new Float32Array(frames).fill(-Infinity);
  best[0] = 0;
  const from: Int32Array[] = [];
  for (let n = 1; n < count; n++) {
    const next = new Float32Array(frames).fill(-Infinity);
    const cameFrom = new Int32Array(frames);
    for (let t = n * MIN_SYLLABLE_FRAMES; t < frames; t++) {
      for (let s = 0; s <= t - MIN_SYLLABLE_FRAMES; s++) {
        const score = best[s]! - shape(t - s) + change[t]!;
        if (score > next[t]!) {
          next[t] = score;
          cameFrom[t] = s;
        }
      }
    }
    best = next;
    from.push(cameFrom);
  }
  let last = -1;
  let most = -Infinity;
  for (let t = 0; t <= frames - MIN_SYLLABLE_FRAMES; t++) {
    const score = best[t]! - shape(frames - t);
    if (score > most) [most, last] = [score, t];
  }
  if (last < 0) return null;
  const starts = [last];
  for (const cameFrom of from.reverse()) starts.unshift((last = cameFrom[last]!));
  return starts;
}

/**
 * Returns how much the sound changes at each frame, in standard deviations; 0 unless it is the largest change
 * nearby.
 */
function computeChanges({ frames, cents, timbre }: LineFrames): Float32Array {
  const change = Float32Array.from({ length: frames }, (_, at) => {
    const [before, after] = [
      Math.max(0, at - CHANGE_DISTANCE),
      Math.min(frames - 1, at + CHANGE_DISTANCE - 1),
    ];
    let sum = 0;
    for (let k = 0; k < TIMBRE_SIZE; k++)
      sum += (timbre[after * TIMBRE_SIZE + k]! - timbre[before * TIMBRE_SIZE + k]!) ** 2;
    // A tone that begins after an unvoiced consonant counts as a large change.
    const begins = at > 0 && Number.isNaN(cents[at - 1]!) && !Number.isNaN(cents[at]!);
    return Math.sqrt(sum / TIMBRE_SIZE) + (begins ? 6 : 0);
  });
  const mean = change.reduce((sum, one) => sum + one, 0) / frames;
  const spread = Math.sqrt(change.reduce((sum, one) => sum + (one - mean) ** 2, 0) / frames) || 1;
  return change.map((one, at) => {
    const near = change.subarray(Math.max(0, at - CHANGE_DISTANCE), at + CHANGE_DISTANCE + 1);
    return one >= Math.max(...near) ? Math.max(0, (one - mean) / spread) : 0;
  });
}
