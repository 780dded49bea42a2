const ZERO_CROSSINGS = 8;
const PHASES = 128;

/**
 * Changes the sample rate of a stream with a windowed sinc. Output sample n is the input at n / `to` seconds.
 */
export class FeatureResampler {
  /** True if both sample rates are equal. */
  readonly #isPassThrough: boolean;
  readonly #ratio: number;
  readonly #half: number;
  readonly #kernels: Float32Array[];
  #buffer: Float32Array;
  /** Position of the first buffered sample, in samples of the input. */
  #bufferStart: number;
  #produced = 0;

  /** @param cutoff in hertz */
  constructor(from: number, to: number, cutoff = 0.45 * Math.min(from, to)) {
    this.#isPassThrough = from === to;
    this.#ratio = from / to;
    const width = (2 * cutoff) / from;
    const half = Math.ceil(ZERO_CROSSINGS / width);
    this.#half = half;
    this.#kernels = Array.from({ length: PHASES }, (_, phase) => {
      const kernel = new Float32Array(2 * half);
      let sum = 0;
      for (let tap = 0; tap < 2 * half; tap++) {
        const x = tap - half + 1 - phase / PHASES;
        const sinc = x === 0 ? 1 : Math.sin(Math.PI * x * width) / (Math.PI * x * width);
        kernel[tap] = sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (half + 1)));
        sum += kernel[tap]!;
      }
      return kernel.map((tap) => tap / sum);
    });
    this.#buffer = new Float32Array(half);
    this.#bufferStart = -half;
  }

  next(samples: Float32Array): Float32Array {
    if (this.#isPassThrough) return samples;
    const held = new Float32Array(this.#buffer.length + samples.length);
    held.set(this.#buffer);
    held.set(samples, this.#buffer.length);
    const end = this.#bufferStart + held.length;
    const count = Math.max(0, Math.ceil((end - this.#half) / this.#ratio) - this.#produced);
    const out = new Float32Array(count);
    for (let n = 0; n < count; n++) {
      const position = (this.#produced + n) * this.#ratio;
      let whole = Math.floor(position);
      let phase = Math.round((position - whole) * PHASES);
      if (phase === PHASES) {
        whole++;
        phase = 0;
      }
      const kernel = this.#kernels[phase]!;
      const first = whole - this.#half + 1 - this.#bufferStart;
      let sum = 0;
      for (let tap = 0; tap < kernel.length; tap++) sum += kernel[tap]! * (held[first + tap] ?? 0);
      out[n] = sum;
    }
    this.#produced += count;
    const keepFrom = Math.floor(this.#produced * this.#ratio) - this.#half;
    const drop = Math.min(held.length, Math.max(0, keepFrom - this.#bufferStart));
    this.#buffer = held.slice(drop);
    this.#bufferStart += drop;
    return out;
  }

  /** Flushes the samples that are still buffered. */
  end(): Float32Array {
    if (this.#isPassThrough) return new Float32Array();
    return this.next(new Float32Array(this.#half));
  }
}
