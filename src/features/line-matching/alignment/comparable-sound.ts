import { classifyFrames, SILENT_FRAME, VOICED_FRAME } from './activity.ts';
import {
  CEPSTRUM_SIZE,
  PITCH_STEPS_PER_OCTAVE,
  PITCH_STEP_CENTS,
  type ComparableSound,
} from './likelihood-ratios.ts';
import { BAND_COUNT, hertzToBand, bandToHertz, type SoundFeatures } from './features.ts';

/** Dynamic range that is compared, in dB. */
const RANGE_DB = 40;

/** Audio prepared for comparison, before the frequency axis is warped to match a vocal tract. */
export type Spectrogram = Pick<SoundFeatures, 'frames' | 'pitch'> & {
  activity: Uint8Array;
  /**
   * Mel band levels in dB, relative to each band's mean over the voiced frames, plus the power of the noise floor.
   */
  levels: Float32Array;
};

/** Returns both spectrograms, with the power of the higher of the two noise floors added to each band. */
export function computeSpectrograms(one: SoundFeatures, other: SoundFeatures): [Spectrogram, Spectrogram] {
  const [first, second] = [normalize(one), normalize(other)];
  const floor = computeNoiseFloor([first, second]).map((level) => 10 ** (level / 10));
  for (const { levels } of [first, second])
    for (let index = 0; index < levels.length; index++)
      levels[index] = 10 * Math.log10(10 ** (levels[index]! / 10) + floor[index % BAND_COUNT]!);
  return [first, second];
}

function normalize({ frames, pitch, bands }: SoundFeatures): Spectrogram {
  const activity = classifyFrames({ frames, pitch, bands });
  const mean = new Float64Array(BAND_COUNT);
  let count = 0;
  for (let at = 0; at < frames; at++) {
    if (activity[at] !== VOICED_FRAME) continue;
    count++;
    for (let band = 0; band < BAND_COUNT; band++) mean[band]! += bands[at * BAND_COUNT + band]!;
  }
  const levels = bands.map((level, index) => level - mean[index % BAND_COUNT]! / Math.max(1, count));
  return { frames, pitch, activity, levels };
}

/**
 * Returns the highest noise floor of the spectrograms in each band, or the lower end of the compared range if
 * that is higher.
 */
function computeNoiseFloor(spectra: readonly Spectrogram[]): Float32Array {
  const floor = new Float32Array(BAND_COUNT).fill(-Infinity);
  for (const { frames, levels } of spectra) {
    for (let band = 0; band < BAND_COUNT; band++) {
      const sorted = Float32Array.from({ length: frames }, (_, at) => levels[at * BAND_COUNT + band]!).sort();
      const quiet = sorted[Math.floor(frames * 0.05)] ?? -RANGE_DB;
      const loud = sorted[Math.floor(frames * 0.95)] ?? 0;
      floor[band] = Math.max(floor[band]!, quiet + 3, loud - RANGE_DB);
    }
  }
  return floor;
}

/** @param warp factor that stretches the frequency axis, to match another vocal tract */
export function toComparableSound(
  { frames, pitch: cents, activity, levels }: Spectrogram,
  warp: number,
): ComparableSound {
  const places = Float32Array.from({ length: BAND_COUNT }, (_, band) =>
    Math.min(BAND_COUNT - 1, Math.max(0, hertzToBand(bandToHertz(band) * warp))),
  );
  const cepstra = new Float32Array(frames * CEPSTRUM_SIZE);
  const warped = new Float32Array(BAND_COUNT);
  for (let at = 0; at < frames; at++) {
    for (let band = 0; band < BAND_COUNT; band++) {
      const low = Math.floor(places[band]!);
      const high = Math.min(BAND_COUNT - 1, low + 1);
      const share = places[band]! - low;
      warped[band] = levels[at * BAND_COUNT + low]! * (1 - share) + levels[at * BAND_COUNT + high]! * share;
    }
    for (let k = 0; k < CEPSTRUM_SIZE; k++) {
      let sum = 0;
      for (let band = 0; band < BAND_COUNT; band++) sum += COSINES[k * BAND_COUNT + band]! * warped[band]!;
      cepstra[at * CEPSTRUM_SIZE + k] = sum;
    }
  }
  subtractMean(cepstra, activity);
  const pitch = Int16Array.from({ length: frames }, (_, at) =>
    activity[at] === VOICED_FRAME
      ? ((Math.round(cents[at]! / PITCH_STEP_CENTS) % PITCH_STEPS_PER_OCTAVE) + PITCH_STEPS_PER_OCTAVE) %
        PITCH_STEPS_PER_OCTAVE
      : -1,
  );
  return { frames, pitch, activity, cepstra };
}

function subtractMean(cepstra: Float32Array, activity: Uint8Array) {
  const mean = new Float64Array(CEPSTRUM_SIZE);
  let count = 0;
  activity.forEach((one, at) => {
    if (one === SILENT_FRAME) return;
    count++;
    for (let k = 0; k < CEPSTRUM_SIZE; k++) mean[k]! += cepstra[at * CEPSTRUM_SIZE + k]!;
  });
  for (let index = 0; index < cepstra.length; index++)
    cepstra[index]! -= mean[index % CEPSTRUM_SIZE]! / Math.max(1, count);
}

/** Returns the given frames, in the given order. */
export function pickFrames(
  { pitch, activity, cepstra }: ComparableSound,
  frames: ArrayLike<number>,
): ComparableSound {
  const picked: ComparableSound = {
    frames: frames.length,
    pitch: new Int16Array(frames.length),
    activity: new Uint8Array(frames.length),
    cepstra: new Float32Array(frames.length * CEPSTRUM_SIZE),
  };
  for (let at = 0; at < frames.length; at++) {
    const from = frames[at]!;
    picked.pitch[at] = pitch[from]!;
    picked.activity[at] = activity[from]!;
    picked.cepstra.set(
      cepstra.subarray(from * CEPSTRUM_SIZE, (from + 1) * CEPSTRUM_SIZE),
      at * CEPSTRUM_SIZE,
    );
  }
  return picked;
}

/** Merges every `by` frames into one: the mean of the timbre, and the pitch and activity of the middle frame. */
export function mergeFrames(one: ComparableSound, by: number): ComparableSound {
  if (by === 1) return one;
  const { frames, pitch, activity, cepstra } = one;
  const count = Math.ceil(frames / by);
  const result: ComparableSound = {
    frames: count,
    pitch: new Int16Array(count),
    activity: new Uint8Array(count),
    cepstra: new Float32Array(count * CEPSTRUM_SIZE),
  };
  for (let at = 0; at < count; at++) {
    const first = at * by;
    const middle = Math.min(frames - 1, first + (by >> 1));
    result.pitch[at] = pitch[middle]!;
    result.activity[at] = activity[middle]!;
    const last = Math.min(frames, first + by);
    for (let from = first; from < last; from++) {
      for (let k = 0; k < CEPSTRUM_SIZE; k++) {
        result.cepstra[at * CEPSTRUM_SIZE + k]! += cepstra[from * CEPSTRUM_SIZE + k]! / (last - first);
      }
    }
  }
  return result;
}

/** Liftered DCT matrix without the first coefficient, so that a frame's loudness does not count. */
const COSINES = Float32Array.from({ length: CEPSTRUM_SIZE * BAND_COUNT }, (_, index) => {
  const [k, band] = [Math.floor(index / BAND_COUNT) + 1, index % BAND_COUNT];
  const lifter = 1 + 0.08 * k;
  return (lifter * Math.cos((Math.PI * k * (band + 0.5)) / BAND_COUNT)) / BAND_COUNT;
});
