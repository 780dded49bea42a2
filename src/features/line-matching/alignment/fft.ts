/**
 * Computes power spectra of real frames whose length is a power of two, with one complex transform of half the
 * length.
 */
export class PowerSpectrumAnalyzer {
  readonly #half: number;
  readonly #reversed: Uint32Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;

  constructor(size: number) {
    const half = size / 2;
    this.#half = half;
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
    this.#cos = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.#sin = Float64Array.from({ length: half }, (_, k) => Math.sin((2 * Math.PI * k) / size));
    const bits = Math.log2(half);
    this.#reversed = Uint32Array.from({ length: half }, (_, k) => {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) reversed |= ((k >> bit) & 1) << (bits - 1 - bit);
      return reversed;
    });
  }

  /** @param power receives |X|² of the bins below half the sample rate */
  compute(frame: Float32Array, power: Float32Array): void {
    const half = this.#half;
    const re = this.#re;
    const im = this.#im;
    for (let k = 0; k < half; k++) {
      const from = this.#reversed[k]!;
      re[k] = frame[2 * from]!;
      im[k] = frame[2 * from + 1]!;
    }
    for (let span = 1; span < half; span *= 2) {
      const stride = half / span;
      for (let start = 0; start < half; start += 2 * span) {
        for (let k = 0; k < span; k++) {
          const cos = this.#cos[k * stride]!;
          const sin = -this.#sin[k * stride]!;
          const one = start + k;
          const other = one + span;
          const x = re[other]! * cos - im[other]! * sin;
          const y = re[other]! * sin + im[other]! * cos;
          re[other] = re[one]! - x;
          im[other] = im[one]! - y;
          re[one]! += x;
          im[one]! += y;
        }
      }
    }
    for (let k = 0; k < half; k++) {
      const mirror = (half - k) % half;
      const evenRe = (re[k]! + re[mirror]!) / 2;
      const evenIm = (im[k]! - im[mirror]!) / 2;
      const oddRe = (im[k]! + im[mirror]!) / 2;
      const oddIm = (re[mirror]! - re[k]!) / 2;
      const x = evenRe + oddRe * this.#cos[k]! + oddIm * this.#sin[k]!;
      const y = evenIm + oddIm * this.#cos[k]! - oddRe * this.#sin[k]!;
      power[k] = x * x + y * y;
    }
  }
}
