import { type LineFrames, TIMBRE_SIZE } from './line-frames.ts';

/** Maximum deviation from an even pace, as a share of the line. */
const MAX_DEVIATION_SHARE = 0.2;
const MIN_DEVIATION_FRAMES = 5;
/** Cost, in dB of timbre, if only one of the two frames has a tone. */
const ACTIVITY_COST = 8;
/** Cost of each step that is faster or slower than the average pace. */
const UNEVEN_COST = 2;

/**
 * Returns the take's frame for each frame of the melody's line, by dynamic time warping on the sound of the
 * words. Pitch is left out, because it is what the user wants to compare.
 */
export function computeLineWarp(melody: LineFrames, take: LineFrames): Float32Array {
  const { frames } = melody;
  /** The take's frames at an even pace, from end to end. */
  const even = Float32Array.from({ length: frames }, (_, at) =>
    frames < 2 ? 0 : (at / (frames - 1)) * (take.frames - 1),
  );
  const astray = Math.max(MIN_DEVIATION_FRAMES, Math.round(MAX_DEVIATION_SHARE * frames));
  const cost = (m: number, t: number) => getDistance(melody, m, take, Math.round(even[t]!));
  const best = new Float32Array(frames * frames).fill(Infinity);
  const from = new Uint8Array(frames * frames);
  for (let m = 0; m < frames; m++) {
    for (let t = Math.max(0, m - astray); t <= Math.min(frames - 1, m + astray); t++) {
      const here = cost(m, t);
      if (m === 0 && t === 0) {
        best[0] = here;
        continue;
      }
      const at = m * frames + t;
      STEPS.forEach(({ down, along }, way) => {
        if (m < down || t < along) return;
        const before = best[(m - down) * frames + t - along]!;
        const between = down === 2 ? cost(m - 1, t) : 0;
        const total = before + here + between + (way === 0 ? 0 : UNEVEN_COST);
        if (total < best[at]!) {
          best[at] = total;
          from[at] = way;
        }
      });
    }
  }
  if (best[frames * frames - 1] === Infinity) return even;
  const warped = even.slice();
  let [m, t] = [frames - 1, frames - 1];
  while (m > 0) {
    warped[m] = even[t]!;
    const { down, along } = STEPS[from[m * frames + t]!]!;
    if (down === 2) warped[m - 1] = (even[t]! + even[Math.max(0, t - along)]!) / 2;
    m -= down;
    t -= along;
  }
  warped[0] = even[t]!;
  return warped;
}

/** Steps at the average pace, at half of it and at twice it. */
const STEPS = [
  { down: 1, along: 1 },
  { down: 1, along: 2 },
  { down: 2, along: 1 },
];

function getDistance(melody: LineFrames, m: number, take: LineFrames, t: number): number {
  let sum = 0;
  for (let k = 0; k < TIMBRE_SIZE; k++)
    sum += (melody.timbre[m * TIMBRE_SIZE + k]! - take.timbre[t * TIMBRE_SIZE + k]!) ** 2;
  const isOther = Number.isNaN(melody.cents[m]!) !== Number.isNaN(take.cents[t]!);
  return Math.sqrt(sum / TIMBRE_SIZE) + (isOther ? ACTIVITY_COST : 0);
}
