/** Receives the samples of a sound as they are decoded. */
export interface Listener {
  /** Seconds up to the end of the last sample received. */
  readonly heard: number;
  /**
   * @param samples interleaved, ±1 (or ±`fullScale`); NaN counts as silence
   * @param start in seconds; samples before 0 are a codec's priming
   */
  hear(
    samples: Float32Array | Int16Array,
    channels: number,
    rate: number,
    start: number,
    fullScale?: number,
  ): void;
}
