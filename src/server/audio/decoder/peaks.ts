import { WAVEFORM_BAR_COUNT } from '#shared/media.ts';
import type { SampleListener } from './sample-listener.ts';

/**
 * Minimum seconds of audio between two progress reports. A report costs about 2 ms, as much as decoding a
 * second.
 */
const REPORT_INTERVAL_SECONDS = 120;
/** Maximum number of progress reports for a file, however long it is. */
const MAX_REPORTS = 25;

/** Computes the peak |sample| for each slice of an audio stream with known duration. */
export class PeakMeter implements SampleListener {
  readonly #loudest = new Float64Array(WAVEFORM_BAR_COUNT);
  readonly #duration: number;
  readonly #onProgress: ((fraction: number) => void) | undefined;
  readonly #reportEvery: number;
  #nextReport: number;
  #end = 0;

  /**
   * @param duration in seconds; samples beyond it are ignored
   * @param onProgress called occasionally with the share that has been decoded, from 0 to 1
   */
  constructor(duration: number, onProgress?: (fraction: number) => void) {
    this.#duration = duration;
    this.#onProgress = onProgress;
    this.#reportEvery = Math.max(REPORT_INTERVAL_SECONDS, duration / MAX_REPORTS);
    this.#nextReport = this.#reportEvery;
  }

  /**
   * Updates the peaks.
   * @param samples interleaved, ±1 (or ±`fullScale`); NaN counts as silence
   * @param start in seconds; samples before 0 (a codec's priming) are ignored
   */
  add(
    samples: Float32Array | Int16Array,
    channels: number,
    rate: number,
    start: number,
    fullScale = 1,
  ): void {
    const frames = Math.floor(samples.length / channels);
    this.#end = Math.max(this.#end, start + frames / rate);
    if (this.#end >= this.#nextReport) this.#report();
    const perSlice = this.#duration / WAVEFORM_BAR_COUNT;
    let slice = Math.max(0, Math.floor(start / perSlice));
    let frame = Math.max(0, Math.ceil(-start * rate));
    while (slice < WAVEFORM_BAR_COUNT && frame < frames) {
      const until = Math.min(frames, Math.max(frame, Math.ceil(((slice + 1) * perSlice - start) * rate)));
      let loudest = this.#loudest[slice]! * fullScale;
      for (let i = frame * channels; i < until * channels; i++) {
        const sample = samples[i]!;
        if (sample > loudest) loudest = sample;
        else if (-sample > loudest) loudest = -sample;
      }
      this.#loudest[slice] = loudest / fullScale;
      frame = until;
      slice++;
    }
  }

  #report() {
    this.#nextReport = (Math.floor(this.#end / this.#reportEvery) + 1) * this.#reportEvery;
    this.#onProgress?.(Math.min(1, this.#end / this.#duration));
  }

  /** End of the last sample received, in seconds. */
  get decodedSeconds(): number {
    return this.#end;
  }

  /** Returns one byte per bar, 255 for full scale. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.#loudest, (loudest) => Math.min(255, Math.round(loudest * 255)));
  }
}
