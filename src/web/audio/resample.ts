import { RECORDING_SAMPLE_RATE } from './recording-format.ts';

/**
 * Converts a mono stream from one rate to another, block by block. The result does not depend on how the
 * input is cut into blocks, and it has no delay: the first frame out corresponds to the first frame in.
 */
export type Resampler = {
  /** The maximum number of frames that {@link push} or {@link flush} writes for `inputFrames` of input. */
  getMaxOutputFrames(inputFrames: number): number;
  /**
   * Appends `input`, and writes the frames that can be computed so far to `output`.
   * @returns the number written
   */
  push(input: Float32Array, output: Float32Array): number;
  /**
   * Writes the remaining frames as if silence followed, at most `getMaxOutputFrames(0)`. In total, the number
   * of output frames is the number of input frames × `outputRate` / `inputRate`, rounded up.
   * @returns the number written
   */
  flush(output: Float32Array): number;
};

/** Attenuation of aliases and images, in dB: 2 dB more than the 96 dB that a 16-bit file can resolve. */
const STOP_BAND_DB = 98;

/**
 * Width of the filter's transition band, as a fraction of the lower rate's bandwidth. The pass band thus ends
 * at 13.6 kHz for 44.1 and 48 kHz, far above any voice, and nothing is left above half the lower rate to alias.
 */
const TRANSITION_WIDTH = 0.15;

/**
 * Maximum number of phases for which every filter is computed. With more (at unusual rates such as 44,056 Hz),
 * filters are interpolated from a table.
 */
const MAX_EXACT_PHASES = 2_048;

/**
 * Creates a polyphase filter of windowed sincs from `inputRate` to `outputRate`, both in whole Hz. From 48 kHz,
 * it has 128 taps per output frame, which makes 4 million multiplications a second.
 * @throws RangeError if a rate is not a whole number from 1,000 to 1,000,000.
 */
export function createResampler(inputRate: number, outputRate: number = RECORDING_SAMPLE_RATE): Resampler {
  assertRate(inputRate);
  assertRate(outputRate);

  const divisor = greatestCommonDivisor(inputRate, outputRate);
  const phases = outputRate / divisor;
  // Each output frame advances the input by `wholeStep` + `phaseStep` / `phases` frames.
  const wholeStep = Math.floor(inputRate / outputRate);
  const phaseStep = inputRate / divisor - wholeStep * phases;

  const halfLength = getFilterHalfLength(inputRate, outputRate);
  const taps = 2 * halfLength;
  const filterAt = createFilterBank(inputRate, outputRate, halfLength, phases);

  // Buffers the input; `held[start]` is the first frame under the filter. The buffer begins with silence, half
  // as long as the filter, to offset the filter's delay.
  let held = new Float32Array(4 * taps + 4_096);
  let start = 0;
  let end = halfLength - 1;
  let phase = 0;

  function room(inputFrames: number): number {
    return Math.ceil(((inputFrames + taps) * outputRate) / inputRate) + 1;
  }

  function append(input: Float32Array): void {
    if (end + input.length > held.length) {
      const kept = held.subarray(start, end);
      const target =
        kept.length + input.length > held.length / 2
          ? new Float32Array(2 * (kept.length + input.length))
          : held;
      target.set(kept);
      held = target;
      end -= start;
      start = 0;
    }
    held.set(input, end);
    end += input.length;
  }

  function drain(output: Float32Array): number {
    let written = 0;
    while (start + taps <= end) {
      output[written] = dotProduct(held, start, filterAt(phase), taps);
      written += 1;
      start += wholeStep;
      phase += phaseStep;
      if (phase >= phases) {
        phase -= phases;
        start += 1;
      }
    }
    return written;
  }

  return {
    getMaxOutputFrames: room,
    push(input, output) {
      append(input);
      return drain(output);
    },
    flush(output) {
      append(new Float32Array(halfLength));
      return drain(output);
    },
  };
}

/**
 * Uses four separate sums, so that no addition waits for the previous addition. This is twice as fast in V8.
 */
function dotProduct(signal: Float32Array, start: number, filter: Float32Array, length: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  // The caller's condition keeps both indices within their arrays; `!` only informs the compiler.
  for (let tap = 0; tap < length; tap += 4) {
    a += signal[start + tap]! * filter[tap]!;
    b += signal[start + tap + 1]! * filter[tap + 1]!;
    c += signal[start + tap + 2]! * filter[tap + 2]!;
    d += signal[start + tap + 3]! * filter[tap + 3]!;
  }
  return a + b + (c + d);
}

/**
 * Returns half the filter's length in input frames, by Kaiser's estimate. It is even, so that {@link
 * dotProduct} can step by four.
 */
function getFilterHalfLength(inputRate: number, outputRate: number): number {
  const lowerRate = Math.min(inputRate, outputRate);
  const transition = (Math.PI * TRANSITION_WIDTH * lowerRate) / inputRate;
  const length = (STOP_BAND_DB - 7.95) / (2.285 * transition);
  return 2 * Math.ceil(length / 4);
}

/** @returns a function that returns the filter for a phase, given in units of 1/`phases` of an input frame */
function createFilterBank(
  inputRate: number,
  outputRate: number,
  halfLength: number,
  phases: number,
): (phase: number) => Float32Array {
  const made = (fraction: number) => createFilter(inputRate, outputRate, halfLength, fraction);
  if (phases <= MAX_EXACT_PHASES) {
    // All filters are computed in advance (about 10 ms), because during a block there would not be enough time.
    const filters = Array.from({ length: phases }, (_, phase) => made(phase / phases));
    return (phase) => filters[phase]!;
  }

  const steps = 1_024;
  const table = Array.from({ length: steps + 1 }, (_, step) => made(step / steps));
  const mixed = new Float32Array(2 * halfLength);
  return (phase) => {
    const position = (phase / phases) * steps;
    const step = Math.floor(position);
    const share = position - step;
    const before = table[step]!;
    const after = table[step + 1]!;
    for (let tap = 0; tap < mixed.length; tap += 1) {
      mixed[tap] = before[tap]! + share * (after[tap]! - before[tap]!);
    }
    return mixed;
  };
}

/**
 * Returns the taps of one phase: a Kaiser-windowed sinc whose stop band begins at half the lower rate, with a
 * gain of exactly 1 at 0 Hz.
 */
function createFilter(
  inputRate: number,
  outputRate: number,
  halfLength: number,
  fraction: number,
): Float32Array {
  const lowerRate = Math.min(inputRate, outputRate);
  const cutOff = ((1 - TRANSITION_WIDTH / 2) * lowerRate) / inputRate;
  const beta = 0.1102 * (STOP_BAND_DB - 8.7);
  const exact = new Float64Array(2 * halfLength);
  let sum = 0;
  for (let tap = 0; tap < exact.length; tap += 1) {
    const distance = tap - (halfLength - 1) - fraction;
    const inside = 1 - (distance / halfLength) ** 2;
    const window = inside > 0 ? besselI0(beta * Math.sqrt(inside)) : inside === 0 ? 1 : 0;
    const angle = Math.PI * cutOff * distance;
    const value = (angle === 0 ? 1 : Math.sin(angle) / angle) * window;
    exact[tap] = value;
    sum += value;
  }
  return Float32Array.from(exact, (value) => value / sum);
}

/** Computes the modified Bessel function of order 0 by its series, whose terms are all positive. */
function besselI0(x: number): number {
  const quarter = (x * x) / 4;
  let term = 1;
  let sum = 1;
  for (let order = 1; term > sum * 1e-16; order += 1) {
    term *= quarter / (order * order);
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function assertRate(rate: number): void {
  if (!Number.isInteger(rate) || rate < 1_000 || rate > 1_000_000) {
    throw new RangeError(`A sample rate of ${rate} Hz cannot be resampled.`);
  }
}
