import { classifyFrames, VOICED_FRAME } from '#features/line-matching/alignment/activity.ts';
import { BAND_COUNT, type SoundFeatures } from '#features/line-matching/alignment/features.ts';

/** The frames of one sung line, from its first tone to its last. */
export type LineFrames = {
  frames: number;
  /** Cents above 55 Hz; NaN where there is no tone. */
  cents: Float32Array;
  /**
   * `TIMBRE_SIZE` values per frame, which describe a vowel or consonant independently of loudness and voice.
   */
  timbre: Float32Array;
};

export const TIMBRE_SIZE = 10;
const BANDS_PER_VALUE = BAND_COUNT / TIMBRE_SIZE;
/** Range below the loudest level of the line, in dB. Anything quieter is inaudible beside it. */
const RANGE_DB = 45;
/** Minimum length of a tone. A shorter tone is a creak or a breath. */
const MIN_TONE_FRAMES = 3;

/** @returns null if no voice is detected */
export function toLineFrames(features: SoundFeatures): LineFrames | null {
  const activity = classifyFrames(features);
  const cents = features.pitch.map((one, at) => (activity[at] === VOICED_FRAME ? one : NaN));
  removeShortTones(cents);
  const begin = cents.findIndex((one) => !Number.isNaN(one));
  if (begin < 0) return null;
  let end = cents.length;
  while (Number.isNaN(cents[end - 1]!)) end--;
  const frames = end - begin;
  return {
    frames,
    cents: cents.slice(begin, end),
    timbre: computeTimbre(features, begin, frames),
  };
}

function removeShortTones(cents: Float32Array) {
  for (let at = 0; at < cents.length; at++) {
    let end = at;
    while (end < cents.length && !Number.isNaN(cents[end]!)) end++;
    if (end - at < MIN_TONE_FRAMES) cents.fill(NaN, at, end);
    at = end;
  }
}

function computeTimbre({ bands }: SoundFeatures, first: number, frames: number): Float32Array {
  const timbre = new Float32Array(frames * TIMBRE_SIZE);
  const within = bands.subarray(first * BAND_COUNT, (first + frames) * BAND_COUNT);
  const floor = within.reduce((most, level) => Math.max(most, level), -Infinity) - RANGE_DB;
  for (let index = 0; index < within.length; index++) {
    const at =
      Math.floor(index / BAND_COUNT) * TIMBRE_SIZE + Math.floor((index % BAND_COUNT) / BANDS_PER_VALUE);
    timbre[at]! += Math.max(floor, within[index]!) / BANDS_PER_VALUE;
  }
  // Removes each frame's loudness, and the constant timbre of this voice and room.
  for (let at = 0; at < frames; at++) subtractMean(timbre, at * TIMBRE_SIZE, 1, TIMBRE_SIZE);
  for (let k = 0; k < TIMBRE_SIZE; k++) subtractMean(timbre, k, TIMBRE_SIZE, frames);
  return timbre;
}

function subtractMean(values: Float32Array, from: number, step: number, count: number) {
  let mean = 0;
  for (let n = 0; n < count; n++) mean += values[from + n * step]! / count;
  for (let n = 0; n < count; n++) values[from + n * step]! -= mean;
}
