/** YIN (de Cheveigné and Kawahara, 2002), with a Viterbi search over each frame's candidates as in pYIN. */

/** The sound is low-passed first, so that breath and consonants do not mask a low voice. */
export const PITCH_RATE = 8_000;
export const PITCH_CUTOFF = 900;
/** Coefficient of a first-order high-pass at 225 Hz, against room rumble. */
const RUMBLE_KEPT = 0.85;

/** High-pass filter for a stream. A low voice is still recognized by its harmonics. */
export class RumbleFilter {
  #in = 0;
  #out = 0;

  next(samples: Float32Array): Float32Array {
    return samples.map((sample) => {
      this.#out = RUMBLE_KEPT * (this.#out + sample - this.#in);
      this.#in = sample;
      return this.#out;
    });
  }
}

/** In hertz. */
const LOWEST = 60;
const HIGHEST = 850;
const WINDOW = 384;
const SHORTEST_LAG = Math.floor(PITCH_RATE / HIGHEST);
const LONGEST_LAG = Math.ceil(PITCH_RATE / LOWEST);

/** Samples needed for one frame. */
export const PITCH_FRAME = WINDOW + LONGEST_LAG + 1;

const CANDIDATES = 4;
/** Cost of calling a frame unvoiced, on YIN's scale: lower is more periodic. */
const UNVOICED = 0.62;
/** Maximum difference of a candidate, on YIN's scale. */
const MOST = 0.9;
const TURN_VOICED = 0.08;
/** Cost per octave of a longer lag: of two equal candidates, the shorter is the period. */
const LONGER = 0.03;
const PER_CENT_MOVED = 0.0006;
const MOVE_MOST = 0.5;

/** Reference frequency of cents. */
const HERTZ = 55;

export class PitchTracker {
  readonly #differences = new Float32Array(LONGEST_LAG + 2);
  /** `CANDIDATES` pairs of cents and cost per frame; unused pairs are Infinity. */
  #candidates: Float32Array[] = [];

  /** @param frame PITCH_FRAME samples at PITCH_RATE */
  hear(frame: Float32Array): void {
    const difference = this.#differences;
    let still = 0;
    for (let n = 0; n < WINDOW; n++) still += frame[n]! * frame[n]!;
    let moved = still;
    let sum = 0;
    difference[0] = 1;
    for (let lag = 1; lag <= LONGEST_LAG + 1; lag++) {
      moved += frame[lag + WINDOW - 1]! ** 2 - frame[lag - 1]! ** 2;
      let product = 0;
      for (let n = 0; n < WINDOW; n++) product += frame[n]! * frame[n + lag]!;
      const d = Math.max(0, still + moved - 2 * product);
      sum += d;
      difference[lag] = sum > 0 ? (d * lag) / sum : 1;
    }
    this.#candidates.push(this.#minima());
  }

  #minima(): Float32Array {
    const d = this.#differences;
    const found: { cents: number; cost: number }[] = [];
    for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag++) {
      if (d[lag]! > MOST || d[lag]! > d[lag - 1]! || d[lag]! >= d[lag + 1]!) continue;
      const curve = d[lag - 1]! + d[lag + 1]! - 2 * d[lag]!;
      const offset = curve > 0 ? (d[lag - 1]! - d[lag + 1]!) / (2 * curve) : 0;
      const cents = 1200 * Math.log2(PITCH_RATE / (lag + offset) / HERTZ);
      found.push({ cents, cost: d[lag]! + LONGER * Math.log2(lag / SHORTEST_LAG) });
    }
    found.sort((a, b) => a.cost - b.cost);
    const candidates = new Float32Array(2 * CANDIDATES).fill(Infinity);
    found.slice(0, CANDIDATES).forEach(({ cents, cost }, index) => {
      candidates[2 * index] = cents;
      candidates[2 * index + 1] = cost;
    });
    return candidates;
  }

  /** Returns the pitch of each frame in cents above 55 Hz; NaN for frames without pitch. */
  end(): Float32Array {
    const frames = this.#candidates;
    const states = CANDIDATES + 1;
    const cameFrom = new Uint8Array(frames.length * states);
    let costs = new Float64Array(states).fill(0);
    frames.forEach((here, at) => {
      const before = frames[at - 1];
      const next = new Float64Array(states);
      for (let to = 0; to < states; to++) {
        let best = Infinity;
        for (let from = 0; from < states; from++) {
          const cost = costs[from]! + moveCost(before, from, here, to);
          if (cost < best) {
            best = cost;
            cameFrom[at * states + to] = from;
          }
        }
        next[to] = best + (to === CANDIDATES ? UNVOICED : here[2 * to + 1]!);
      }
      costs = next;
    });
    const pitch = new Float32Array(frames.length);
    let state = costs.indexOf(Math.min(...costs));
    for (let at = frames.length - 1; at >= 0; at--) {
      pitch[at] = state === CANDIDATES ? NaN : frames[at]![2 * state]!;
      state = cameFrom[at * states + state]!;
    }
    return pitch;
  }
}

function moveCost(before: Float32Array | undefined, from: number, here: Float32Array, to: number): number {
  if (from === CANDIDATES || to === CANDIDATES || !before) return from === to ? 0 : TURN_VOICED;
  const cents = Math.abs(before[2 * from]! - here[2 * to]!);
  return cents < Infinity ? Math.min(MOVE_MOST, cents * PER_CENT_MOVED) : MOVE_MOST;
}
