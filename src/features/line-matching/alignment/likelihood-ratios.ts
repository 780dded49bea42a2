import { SILENT_FRAME, VOICED_FRAME } from './activity.ts';
import { computeHubness } from './hubness.ts';
import { createSeededRandom } from './random.ts';

/** The frames of a recording, in the form in which two recordings are compared. */
export type ComparableSound = {
  frames: number;
  /** In pitch steps within the octave; -1 for frames without pitch. */
  pitch: Int16Array;
  activity: Uint8Array;
  /** `CEPSTRUM_SIZE` values per frame. */
  cepstra: Float32Array;
};

export const CEPSTRUM_SIZE = 12;
export const PITCH_STEP_CENTS = 20;
export const PITCH_STEPS_PER_OCTAVE = 1200 / PITCH_STEP_CENTS;

/** Which aspects of the two recordings are compared. */
export type ComparedAspects = { pitch: boolean; timbre: boolean };

/**
 * Weights of a frame's pitch and activity. They are below 1, because neighbouring frames carry nearly the same
 * information.
 */
const PITCH_WEIGHT = 0.6;
const ACTIVITY_WEIGHT = 0.6;
/** Standard deviation of a correctly sung note, in cents, and the share of notes that are sung correctly. */
const PITCH_SPREAD = 55;
const CORRECT_NOTE_SHARE = 0.8;
const ACTIVITY_AGREEMENT = 0.5;
/**
 * Mean and spread of the distance between frames in which two singers sing the same vowel or consonant,
 * relative to random pairs of frames.
 */
const MATCH_DISTANCE = 0.62;
const MATCH_SPREAD = 0.9;

export const QUANTIZATION_STEPS_PER_NAT = 16;

/**
 * Returns log-likelihood ratios in quantization steps, with a row for each take frame: how much more likely
 * it is that two frames are the same moment of a song than that they match by chance. Chance is measured on
 * random pairs of frames from the same two recordings. Pitch therefore carries no weight in a chant on one
 * tone, and timbre carries none in a hum.
 */
export function computeLikelihoodRatios(
  melody: ComparableSound,
  take: ComparableSound,
  aspects: ComparedAspects,
  transposed: number,
): Int8Array {
  const random = createSeededRandom();
  const pairs = 6_000;
  const chancePitch = new Float64Array(PITCH_STEPS_PER_OCTAVE).fill(0);
  const distances: number[] = [];
  const melodyActivity = computeShares(melody.activity);
  const takeActivity = computeShares(take.activity);
  const melodyVoiced = findIndices(melody.activity, VOICED_FRAME);
  const takeVoiced = findIndices(take.activity, VOICED_FRAME);
  if (aspects.pitch && melodyVoiced.length > 0 && takeVoiced.length > 0) {
    for (let pair = 0; pair < pairs; pair++) {
      const m = melodyVoiced[Math.floor(random() * melodyVoiced.length)]!;
      const t = takeVoiced[Math.floor(random() * takeVoiced.length)]!;
      chancePitch[getPitchDifference(melody.pitch[m]!, take.pitch[t]!, transposed)]!++;
    }
  }
  if (aspects.timbre && melodyVoiced.length > 0 && takeVoiced.length > 0) {
    for (let pair = 0; pair < pairs; pair++) {
      const m = melodyVoiced[Math.floor(random() * melodyVoiced.length)]!;
      const t = takeVoiced[Math.floor(random() * takeVoiced.length)]!;
      distances.push(Math.sqrt(getDistance(melody, m, take, t)));
    }
  }
  const pitchTable = buildPitchTable(chancePitch);
  const { table: timbreTable, scale } = buildTimbreTable(distances);
  const activityTable = new Float32Array(9);
  for (let a = 0; a < 3; a++)
    for (let b = 0; b < 3; b++) {
      const agree = ACTIVITY_AGREEMENT;
      activityTable[a * 3 + b] =
        ACTIVITY_WEIGHT *
        Math.log(
          1 - agree + (a === b ? agree / Math.max(0.05, (melodyActivity[a]! + takeActivity[a]!) / 2) : 0),
        );
    }

  const [rows, columns] = [take.frames, melody.frames];
  const ratios = new Int8Array(rows * columns);
  const melodyNorms = computeNorms(melody);
  const takeNorms = computeNorms(take);
  const { cepstra } = melody;
  const last = timbreTable.length - 1;
  const own = new Float64Array(CEPSTRUM_SIZE);
  const { ofMelody, ofTake } = computeHubness(
    (m, t) => {
      let ratio = 0;
      if (aspects.pitch && take.pitch[t]! >= 0 && melody.pitch[m]! >= 0)
        ratio += pitchTable[getPitchDifference(melody.pitch[m]!, take.pitch[t]!, transposed)]!;
      if (aspects.timbre)
        ratio += timbreTable[Math.min(last, Math.floor(Math.sqrt(getDistance(melody, m, take, t)) * scale))]!;
      return ratio;
    },
    melody.activity,
    take.activity,
  );
  for (let t = 0; t < rows; t++) {
    const activity = take.activity[t]!;
    const pitch = take.pitch[t]!;
    const norm = takeNorms[t]!;
    for (let k = 0; k < CEPSTRUM_SIZE; k++) own[k] = -2 * take.cepstra[t * CEPSTRUM_SIZE + k]!;
    for (let m = 0; m < columns; m++) {
      let ratio = activityTable[melody.activity[m]! * 3 + activity]!;
      if (activity !== SILENT_FRAME && melody.activity[m] !== SILENT_FRAME) {
        if (aspects.pitch && pitch >= 0 && melody.pitch[m]! >= 0) {
          let d = pitch - melody.pitch[m]! - transposed;
          if (d < 0) d += PITCH_STEPS_PER_OCTAVE;
          if (d < 0) d += PITCH_STEPS_PER_OCTAVE;
          ratio += pitchTable[d]!;
        }
        if (aspects.timbre) {
          let square = norm + melodyNorms[m]!;
          const at = m * CEPSTRUM_SIZE;
          for (let k = 0; k < CEPSTRUM_SIZE; k++) square += own[k]! * cepstra[at + k]!;
          const index = Math.sqrt(square > 0 ? square : 0) * scale;
          ratio += timbreTable[index < last ? index | 0 : last]!;
        }
        ratio -= ofMelody[m]! + ofTake[t]!;
      }
      const steps = Math.round(ratio * QUANTIZATION_STEPS_PER_NAT);
      ratios[t * columns + m] = steps > 127 ? 127 : steps < -127 ? -127 : steps;
    }
  }
  return ratios;
}

function buildPitchTable(chance: Float64Array): Float32Array {
  const total = chance.reduce((sum, count) => sum + count, 0);
  if (total === 0) return new Float32Array(PITCH_STEPS_PER_OCTAVE);
  const kernel = Float64Array.from({ length: PITCH_STEPS_PER_OCTAVE }, (_, d) => {
    const cents = PITCH_STEP_CENTS * Math.min(d, PITCH_STEPS_PER_OCTAVE - d);
    return Math.exp(-0.5 * (cents / PITCH_SPREAD) ** 2);
  });
  const mass = kernel.reduce((sum, value) => sum + value, 0);
  return Float32Array.from({ length: PITCH_STEPS_PER_OCTAVE }, (_, d) => {
    // Smooths the chance distribution with the same kernel, so that it is no sharper than the spread of a sung
    // note.
    let smooth = 0;
    for (let e = 0; e < PITCH_STEPS_PER_OCTAVE; e++)
      smooth +=
        (chance[e]! / total) * (kernel[(d - e + PITCH_STEPS_PER_OCTAVE) % PITCH_STEPS_PER_OCTAVE]! / mass);
    smooth = 0.9 * smooth + 0.1 / PITCH_STEPS_PER_OCTAVE;
    const match = (CORRECT_NOTE_SHARE * kernel[d]!) / mass + (1 - CORRECT_NOTE_SHARE) * smooth;
    return PITCH_WEIGHT * Math.log(match / smooth);
  });
}

const TIMBRE_STEPS = 256;

function buildTimbreTable(distances: number[]): { table: Float32Array; scale: number } {
  if (distances.length === 0) return { table: new Float32Array(1), scale: 0 };
  const mean = distances.reduce((sum, d) => sum + d, 0) / distances.length;
  const sd = Math.sqrt(distances.reduce((sum, d) => sum + (d - mean) ** 2, 0) / distances.length);
  const most = mean + 3 * sd;
  const expected = MATCH_DISTANCE * mean;
  const spread = MATCH_SPREAD * sd;
  const table = Float32Array.from({ length: TIMBRE_STEPS }, (_, step) => {
    const d = ((step + 0.5) / TIMBRE_STEPS) * most;
    const bounded = Math.max(d, expected * 0.5);
    const match = Math.exp(-0.5 * ((bounded - expected) / spread) ** 2) / spread;
    const chance = Math.exp(-0.5 * ((bounded - mean) / sd) ** 2) / sd;
    return Math.log((0.9 * match + 0.1 * chance + 1e-9) / (chance + 1e-9));
  });
  return { table, scale: TIMBRE_STEPS / most };
}

function getPitchDifference(melody: number, take: number, transposed: number): number {
  return (
    (((take - melody - transposed) % PITCH_STEPS_PER_OCTAVE) + PITCH_STEPS_PER_OCTAVE) %
    PITCH_STEPS_PER_OCTAVE
  );
}

function getDistance(melody: ComparableSound, m: number, take: ComparableSound, t: number): number {
  let sum = 0;
  for (let k = 0; k < CEPSTRUM_SIZE; k++) {
    sum += (melody.cepstra[m * CEPSTRUM_SIZE + k]! - take.cepstra[t * CEPSTRUM_SIZE + k]!) ** 2;
  }
  return sum;
}

const computeNorms = ({ frames, cepstra }: ComparableSound) =>
  Float32Array.from({ length: frames }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < CEPSTRUM_SIZE; k++) sum += cepstra[at * CEPSTRUM_SIZE + k]! ** 2;
    return sum;
  });

function computeShares(activity: Uint8Array): number[] {
  const counts = [0, 0, 0];
  for (const one of activity) counts[one]!++;
  return counts.map((count) => count / Math.max(1, activity.length));
}

function findIndices(activity: Uint8Array, activityClass: number): Int32Array {
  const found: number[] = [];
  activity.forEach((one, at) => {
    if (one === activityClass) found.push(at);
  });
  return Int32Array.from(found);
}
