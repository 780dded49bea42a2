import { PowerSpectrumAnalyzer } from './fft.ts';
import {
  PITCH_CUTOFF_HERTZ,
  PITCH_FRAME_SAMPLES,
  PITCH_SAMPLE_RATE,
  PitchTracker,
  RumbleFilter,
} from './pitch.ts';
import { FeatureResampler } from './resampler.ts';

export const FRAMES_PER_SECOND = 25;
export const BAND_COUNT = 40;

/**
 * The data by which two recordings are compared, per frame. Frame n is centred at n / FRAMES_PER_SECOND
 * seconds.
 */
export type SoundFeatures = {
  frames: number;
  /** Cents above 55 Hz; NaN for frames without pitch. */
  pitch: Float32Array;
  /** Power of the mel bands in dB, `BAND_COUNT` values per frame. */
  bands: Float32Array;
};

const RATE = 16_000;
const HOP = RATE / FRAMES_PER_SECOND;
const WINDOW = 512;
const LOWEST_BAND = 100;
const HIGHEST_BAND = 7_200;
const SILENCE = 1e-9;

/** Extracts the features of audio that is held in one array. */
export function extractFeatures(samples: Float32Array, rate: number): SoundFeatures {
  const listener = new FeatureExtractor(rate);
  const second = Math.ceil(rate);
  for (let at = 0; at < samples.length; at += second) listener.add(samples.subarray(at, at + second));
  return listener.end();
}

/** Extracts the features of mono audio that arrives in chunks, so that a long melody need not fit in memory. */
export class FeatureExtractor {
  readonly #toRate: FeatureResampler;
  readonly #toPitchRate = new FeatureResampler(RATE, PITCH_SAMPLE_RATE, PITCH_CUTOFF_HERTZ);
  readonly #spectrum = new PowerSpectrumAnalyzer(WINDOW);
  readonly #rumble = new RumbleFilter();
  readonly #tracker = new PitchTracker();
  readonly #bands: Float32Array[] = [];
  readonly #sound = new Frames(HOP, WINDOW + HOP / 2);
  readonly #pitchSound = new Frames(PITCH_SAMPLE_RATE / FRAMES_PER_SECOND, PITCH_FRAME_SAMPLES);
  readonly #windowed = new Float32Array(WINDOW);
  readonly #power = new Float32Array(WINDOW / 2);

  constructor(rate: number) {
    this.#toRate = new FeatureResampler(rate, RATE);
  }

  add(samples: Float32Array): void {
    this.#addResampled(this.#toRate.next(samples));
  }

  end(): SoundFeatures {
    this.#addResampled(this.#toRate.end());
    this.#addPitchSound(this.#toPitchRate.end());
    this.#addResampled(new Float32Array(WINDOW));
    this.#addPitchSound(new Float32Array(PITCH_FRAME_SAMPLES));
    const pitch = this.#tracker.end();
    const frames = Math.min(pitch.length, this.#bands.length);
    const bands = new Float32Array(frames * BAND_COUNT);
    for (let at = 0; at < frames; at++) bands.set(this.#bands[at]!, at * BAND_COUNT);
    return { frames, pitch: pitch.slice(0, frames), bands };
  }

  #addResampled(samples: Float32Array): void {
    for (const frame of this.#sound.next(samples)) this.#bands.push(this.#melBands(frame));
    this.#addPitchSound(this.#toPitchRate.next(samples));
  }

  #addPitchSound(samples: Float32Array): void {
    for (const frame of this.#pitchSound.next(this.#rumble.next(samples))) this.#tracker.add(frame);
  }

  /**
   * Returns the levels of the mel bands, in dB. Sums two windows per frame, so that no audio between the frames
   * is missed.
   */
  #melBands(frame: Float32Array): Float32Array {
    const bands = new Float32Array(BAND_COUNT);
    for (const from of [0, HOP / 2]) {
      for (let n = 0; n < WINDOW; n++) this.#windowed[n] = frame[from + n]! * HANN[n]!;
      this.#spectrum.compute(this.#windowed, this.#power);
      for (let band = 0; band < BAND_COUNT; band++) {
        const { first, weights } = FILTERS[band]!;
        for (let k = 0; k < weights.length; k++) bands[band]! += weights[k]! * this.#power[first + k]!;
      }
    }
    return bands.map((power) => 10 * Math.log10(power + SILENCE));
  }
}

/** Splits a stream into overlapping frames; frame n is centred at n × hop, with silence before the beginning. */
class Frames {
  readonly #hop: number;
  readonly #length: number;
  #buffer: Float32Array;

  constructor(hop: number, length: number) {
    this.#hop = hop;
    this.#length = length;
    this.#buffer = new Float32Array(Math.floor(length / 2));
  }

  /** Yields the frames that are complete so far, and buffers the remaining samples. */
  *next(samples: Float32Array): Generator<Float32Array, void> {
    const held = new Float32Array(this.#buffer.length + samples.length);
    held.set(this.#buffer);
    held.set(samples, this.#buffer.length);
    let at = 0;
    for (; at + Math.max(this.#hop, this.#length) <= held.length; at += this.#hop)
      yield held.subarray(at, at + this.#length);
    this.#buffer = held.slice(at);
  }
}

const HANN = Float32Array.from(
  { length: WINDOW },
  (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW),
);

const hertzToMel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
const melToHertz = (mels: number) => 700 * (10 ** (mels / 2595) - 1);

/** Returns the centre of a band in hertz; fractional bands are allowed. */
export const bandToHertz = (band: number) =>
  melToHertz(
    hertzToMel(LOWEST_BAND) +
      ((band + 1) / (BAND_COUNT + 1)) * (hertzToMel(HIGHEST_BAND) - hertzToMel(LOWEST_BAND)),
  );

/** Returns the fractional band at a frequency. */
export const hertzToBand = (hertz: number) =>
  ((hertzToMel(hertz) - hertzToMel(LOWEST_BAND)) / (hertzToMel(HIGHEST_BAND) - hertzToMel(LOWEST_BAND))) *
    (BAND_COUNT + 1) -
  1;

/** Triangular filters of equal area, each from the previous band's centre to the next band's. */
const FILTERS = Array.from({ length: BAND_COUNT }, (_, band) => {
  const [low, centre, high] = [bandToHertz(band - 1), bandToHertz(band), bandToHertz(band + 1)];
  const binHertz = RATE / WINDOW;
  const first = Math.max(0, Math.floor(low / binHertz));
  const last = Math.min(WINDOW / 2 - 1, Math.ceil(high / binHertz));
  const heights = Array.from({ length: last - first + 1 }, (_, k) => {
    const hertz = (first + k) * binHertz;
    // Narrow bands may fall between two bins, so each slope is at least one bin wide.
    const [rise, fall] = [Math.max(centre - low, binHertz), Math.max(high - centre, binHertz)];
    return Math.max(0, hertz <= centre ? 1 - (centre - hertz) / rise : 1 - (hertz - centre) / fall);
  });
  const sum = heights.reduce((total, height) => total + height, 0);
  return { first, weights: heights.map((height) => height / sum) };
});
