/**
 * Detects pitch with YIN (de Cheveigné and Kawahara, 2002) and a Viterbi search over each frame's candidates as
 * in pYIN.
 */

/**
 * Sample rate for pitch detection. The audio is low-passed first, so that breath and consonants do not mask a
 * low voice.
 */
export const PITCH_SAMPLE_RATE = 8_000;
export const PITCH_CUTOFF_HERTZ = 900;
/** Coefficient of a first-order high-pass at 225 Hz, against room rumble. */
const RUMBLE_COEFFICIENT = 0.85;

/** High-pass filter for a stream. A low voice is still recognized by its harmonics. */
export class RumbleFilter {
  #in = 0;
  #out = 0;

  next(samples: Float32Array): Float32Array {
    return samples.map((sample) => {
      this.#out = RUMBLE_COEFFICIENT * (this.#out + sample - this.#in);
      this.#in = sample;
      return this.#out;
    });
  }
}

const MIN_HERTZ = 60;
const MAX_HERTZ = 850;
const WINDOW = 384;
const MIN_LAG = Math.floor(PITCH_SAMPLE_RATE / MAX_HERTZ);
const MAX_LAG = Math.ceil(PITCH_SAMPLE_RATE / MIN_HERTZ);

/** Samples needed for one frame. */
export const PITCH_FRAME_SAMPLES = WINDOW + MAX_LAG + 1;

const CANDIDATE_COUNT = 4;
/** Cost of classifying a frame as unvoiced, on YIN's scale, where lower means more periodic. */
const UNVOICED_COST = 0.62;
/** Maximum difference of a candidate, on YIN's scale. */
const MAX_DIFFERENCE = 0.9;
const VOICING_CHANGE_COST = 0.08;
/**
 * Cost of a longer lag, per octave. It makes the shorter of two equally good lags win, because the longer lag
 * is a multiple of the period.
 */
const LONG_LAG_COST = 0.03;
const COST_PER_CENT = 0.0006;
const MAX_MOVE_COST = 0.5;

/** Frequency of 0 cents. */
const REFERENCE_HERTZ = 55;

export class PitchTracker {
  readonly #differences = new Float32Array(MAX_LAG + 2);
  /** `CANDIDATE_COUNT` pairs of cents and cost per frame; unused pairs are Infinity. */
  #candidates: Float32Array[] = [];

  /** @param frame PITCH_FRAME_SAMPLES samples at PITCH_SAMPLE_RATE */
  add(frame: Float32Array): void {
    const difference = this.#differences;
    let still = 0;
    for (let n = 0; n < WINDOW; n++) still += frame[n]! * frame[n]!;
    let moved = still;
    let sum = 0;
    difference[0] = 1;
    for (let lag = 1; lag <= MAX_LAG + 1; lag++) {
      moved += frame[lag + WINDOW - 1]! ** 2 - frame[lag - 1]! ** 2;
      let product = 0;
      for (let n = 0; n < WINDOW; n++) product += frame[n]! * frame[n + lag]!;
      const d = Math.max(0, still + moved - 2 * product);
      sum += d;
      difference[lag] = sum > 0 ? (d * lag) / sum : 1;
    }
    this.#candidates.push(this.#findMinima());
  }

  #findMinima(): Float32Array {
    const d = this.#differences;
    const found: { cents: number; cost: number }[] = [];
    for (let lag = MIN_LAG; lag <= MAX_LAG; lag++) {
      if (d[lag]! > MAX_DIFFERENCE || d[lag]! > d[lag - 1]! || d[lag]! >= d[lag + 1]!) continue;
      const curve = d[lag - 1]! + d[lag + 1]! - 2 * d[lag]!;
      const offset = curve > 0 ? (d[lag - 1]! - d[lag + 1]!) / (2 * curve) : 0;
      const cents = 1200 * Math.log2(PITCH_SAMPLE_RATE / (lag + offset) / REFERENCE_HERTZ);
      found.push({ cents, cost: d[lag]! + LONG_LAG_COST * Math.log2(lag / MIN_LAG) });
    }
    found.sort((a, b) => a.cost - b.cost);
    const candidates = new Float32Array(2 * CANDIDATE_COUNT).fill(Infinity);
    found.slice(0, CANDIDATE_COUNT).forEach(({ cents, cost }, index) => {
      candidates[2 * index] = cents;
      candidates[2 * index + 1] = cost;
    });
    return candidates;
  }

  /** Returns the pitch of each frame in cents above 55 Hz; NaN for frames without pitch. */
  end(): Float32Array {
    const frames = this.#candidates;
    const states = CANDIDATE_COUNT + 1;
    const cameFrom = new Uint8Array(frames.length * states);
    let costs = new Float64Array(states).fill(0);
    frames.forEach((here, at) => {
      const before = frames[at - 1];
      const next = new Float64Array(states);
      for (let to = 0; to < states; to++) {
        let best = Infinity;
        for (let from = 0; from < states; from++) {
          const cost = costs[from]! + getMoveCost(before, from, here, to);
          if (cost < best) {
            best = cost;
            cameFrom[at * states + to] = from;
          }
        }
        next[to] = best + (to === CANDIDATE_COUNT ? UNVOICED_COST : here[2 * to + 1]!);
      }
      costs = next;
    });
    const pitch = new Float32Array(frames.length);
    let state = costs.indexOf(Math.min(...costs));
    for (let at = frames.length - 1; at >= 0; at--) {
      pitch[at] = state === CANDIDATE_COUNT ? NaN : frames[at]![2 * state]!;
      state = cameFrom[at * states + state]!;
    }
    return pitch;
  }
}

function getMoveCost(before: Float32Array | undefined, from: number, here: Float32Array, to: number): number {
  if (from === CANDIDATE_COUNT || to === CANDIDATE_COUNT || !before)
    return from === to ? 0 : VOICING_CHANGE_COST;
  const cents = Math.abs(before[2 * from]! - here[2 * to]!);
  return cents < Infinity ? Math.min(MAX_MOVE_COST, cents * COST_PER_CENT) : MAX_MOVE_COST;
}
