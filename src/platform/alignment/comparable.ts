import { activityOf, SILENT, VOICED } from './activity.ts';
import { CEPSTRA, OCTAVE, PITCH_STEP, type Comparable } from './chance-ratios.ts';
import { BANDS, bandAt, bandHertz, type Features } from './features.ts';

/** Per band, the noise under both sounds: what is quieter is not compared. */
export type Floor = Float32Array;

const RANGE = 40;

/** The quietest that a band is, relative to the loudest voice, of either sound. */
export function floorOf(features: readonly Features[]): Floor {
  const floor = new Float32Array(BANDS).fill(-Infinity);
  for (const one of features) {
    const { levels } = normalized(one);
    for (let band = 0; band < BANDS; band++) {
      const sorted = Float32Array.from({ length: one.frames }, (_, at) => levels[at * BANDS + band]!).sort();
      const quiet = sorted[Math.floor(one.frames * 0.05)] ?? -RANGE;
      const loud = sorted[Math.floor(one.frames * 0.95)] ?? 0;
      floor[band] = Math.max(floor[band]!, quiet + 3, loud - RANGE);
    }
  }
  return floor;
}

/** Bands relative to the sound's own average of each, where it is voiced. */
function normalized({ frames, pitch, bands }: Features): { levels: Float32Array } {
  const activity = activityOf({ frames, pitch, bands });
  const mean = new Float64Array(BANDS);
  let count = 0;
  for (let at = 0; at < frames; at++) {
    if (activity[at] !== VOICED) continue;
    count++;
    for (let band = 0; band < BANDS; band++) mean[band]! += bands[at * BANDS + band]!;
  }
  const levels = bands.map((level, index) => level - mean[index % BANDS]! / Math.max(1, count));
  return { levels };
}

/** @param warp by how much the mel axis is stretched: another vocal tract */
export function comparable(features: Features, floor: Floor, warp: number): Comparable {
  const { frames } = features;
  const activity = activityOf(features);
  const { levels } = normalized(features);
  const power = new Float32Array(levels.length);
  const floorPower = floor.map((level) => 10 ** (level / 10));
  for (let index = 0; index < power.length; index++) {
    power[index] = 10 * Math.log10(10 ** (levels[index]! / 10) + floorPower[index % BANDS]!);
  }
  const places = Float32Array.from({ length: BANDS }, (_, band) =>
    Math.min(BANDS - 1, Math.max(0, bandAt(bandHertz(band) * warp))),
  );
  const cepstra = new Float32Array(frames * CEPSTRA);
  const warped = new Float32Array(BANDS);
  for (let at = 0; at < frames; at++) {
    for (let band = 0; band < BANDS; band++) {
      const low = Math.floor(places[band]!);
      const high = Math.min(BANDS - 1, low + 1);
      const share = places[band]! - low;
      warped[band] = power[at * BANDS + low]! * (1 - share) + power[at * BANDS + high]! * share;
    }
    for (let k = 0; k < CEPSTRA; k++) {
      let sum = 0;
      for (let band = 0; band < BANDS; band++) sum += COSINES[k * BANDS + band]! * warped[band]!;
      cepstra[at * CEPSTRA + k] = sum;
    }
  }
  withoutMean(cepstra, activity);
  const pitch = Int16Array.from({ length: frames }, (_, at) =>
    activity[at] === VOICED
      ? ((Math.round(features.pitch[at]! / PITCH_STEP) % OCTAVE) + OCTAVE) % OCTAVE
      : -1,
  );
  return { frames, pitch, activity, cepstra };
}

function withoutMean(cepstra: Float32Array, activity: Uint8Array) {
  const mean = new Float64Array(CEPSTRA);
  let count = 0;
  activity.forEach((one, at) => {
    if (one === SILENT) return;
    count++;
    for (let k = 0; k < CEPSTRA; k++) mean[k]! += cepstra[at * CEPSTRA + k]!;
  });
  for (let index = 0; index < cepstra.length; index++)
    cepstra[index]! -= mean[index % CEPSTRA]! / Math.max(1, count);
}

/** Some of the frames, in an order of one's own. */
export function framesOf({ pitch, activity, cepstra }: Comparable, frames: ArrayLike<number>): Comparable {
  const picked: Comparable = {
    frames: frames.length,
    pitch: new Int16Array(frames.length),
    activity: new Uint8Array(frames.length),
    cepstra: new Float32Array(frames.length * CEPSTRA),
  };
  for (let at = 0; at < frames.length; at++) {
    const from = frames[at]!;
    picked.pitch[at] = pitch[from]!;
    picked.activity[at] = activity[from]!;
    picked.cepstra.set(cepstra.subarray(from * CEPSTRA, (from + 1) * CEPSTRA), at * CEPSTRA);
  }
  return picked;
}

/** So many frames taken together: the mean of the timbre, and the pitch and activity in the middle. */
export function thinned(one: Comparable, by: number): Comparable {
  if (by === 1) return one;
  const { frames, pitch, activity, cepstra } = one;
  const count = Math.ceil(frames / by);
  const result: Comparable = {
    frames: count,
    pitch: new Int16Array(count),
    activity: new Uint8Array(count),
    cepstra: new Float32Array(count * CEPSTRA),
  };
  for (let at = 0; at < count; at++) {
    const first = at * by;
    const middle = Math.min(frames - 1, first + (by >> 1));
    result.pitch[at] = pitch[middle]!;
    result.activity[at] = activity[middle]!;
    const last = Math.min(frames, first + by);
    for (let from = first; from < last; from++) {
      for (let k = 0; k < CEPSTRA; k++) {
        result.cepstra[at * CEPSTRA + k]! += cepstra[from * CEPSTRA + k]! / (last - first);
      }
    }
  }
  return result;
}

/** A DCT without its first: how loud a frame is does not count. */
const COSINES = Float32Array.from({ length: CEPSTRA * BANDS }, (_, index) => {
  const [k, band] = [Math.floor(index / BANDS) + 1, index % BANDS];
  const lifter = 1 + 0.08 * k;
  return (lifter * Math.cos((Math.PI * k * (band + 0.5)) / BANDS)) / BANDS;
});
