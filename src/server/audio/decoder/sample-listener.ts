/** Receives the samples of an audio file as they are decoded. */
export interface SampleListener {
  /** End of the last sample received, in seconds. */
  readonly decodedSeconds: number;
  /**
   * Receives the next samples.
   * @param samples interleaved, ±1 (or ±`fullScale`); NaN counts as silence
   * @param start in seconds; samples before 0 are a codec's priming
   */
  add(
    samples: Float32Array | Int16Array,
    channels: number,
    rate: number,
    start: number,
    fullScale?: number,
  ): void;
}
