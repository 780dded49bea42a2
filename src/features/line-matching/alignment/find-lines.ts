import { SILENT_FRAME, VOICED_FRAME } from './activity.ts';
import {
  computeLikelihoodRatios,
  PITCH_STEPS_PER_OCTAVE,
  PITCH_STEP_CENTS,
  type ComparableSound,
} from './likelihood-ratios.ts';
import { toComparableSound, pickFrames, computeSpectrograms, mergeFrames } from './comparable-sound.ts';
import { FRAMES_PER_SECOND, type SoundFeatures } from './features.ts';
import { findKeyAndVocalTract } from './key-and-vocal-tract.ts';
import { createMelodyModel, mergeModelFrames, type LineStart } from './melody-model.ts';
import { computePathCosts, getInformationShare } from './path-costs.ts';
import { findOccurrences } from './occurrences.ts';
import { findOnsets } from './onsets.ts';
import { computeChanceScore } from './chance-score.ts';
import { MIN_EDGE_COVERAGE, computeMargins, computeLineConfidences } from './confidence.ts';
import { computeLineDistinctness } from './similar-lines.ts';
import { findBestPath } from './viterbi.ts';

export type FoundLine = {
  /** Line number, as in the melody's timings. */
  line: number;
  /** In seconds from the start of the take. */
  start: number;
  end: number;
  /** Confidence, from 0 to 1; below ½ the line is a guess. */
  sure: number;
};

/**
 * Maximum size of the melody × take matrix, which bounds memory and time. Larger matrices are shrunk by merging
 * frames.
 */
const MAX_CELLS = 16_000_000;
/**
 * Maximum matrix size while a user waits, unless this would require merging more than `MAX_INTERACTIVE_MERGE`
 * frames. With two minutes of audio, the search takes less than half as long as with `MAX_CELLS` and finds
 * about as many lines.
 */
export const MAX_INTERACTIVE_MATRIX_CELLS = 1_000_000;
/** Maximum number of frames to merge while a user waits. */
const MAX_INTERACTIVE_MERGE = 3;
/** Maximum number of frames to merge: at fewer than 3 frames a second, nothing is recognized. */
const MAX_MERGE = 8;
/** Factor by which the first, coarse pass merges more frames than the second. */
const COARSE_FACTOR = 3;

/**
 * Finds the lines of a melody in a take, even if the take is by another singer, in another key or tempo,
 * leaves out or repeats lines, or starts in the middle. Returns no lines if the melody has no timings, if
 * there is no voice, or if the melody and the take are too long.
 * @param starts the melody's timings
 * @param options `onProgress` is called with fractions from 0 to 1. `cells` is the matrix size above which up
 * to three frames are merged into one.
 */
export function findLines(
  melody: SoundFeatures,
  starts: readonly LineStart[],
  take: SoundFeatures,
  { onProgress, cells = MAX_CELLS }: { onProgress?: (fraction: number) => void; cells?: number } = {},
): FoundLine[] {
  const whole = createMelodyModel(melody, starts);
  if (whole.lines.length === 0 || take.frames < 2) return [];
  const getMergeFactor = (maxCells: number) =>
    Math.ceil(Math.sqrt((whole.source.length * take.frames) / maxCells));
  const by = Math.max(getMergeFactor(MAX_CELLS), Math.min(MAX_INTERACTIVE_MERGE, getMergeFactor(cells)));
  if (by > MAX_MERGE) return [];
  const model = mergeModelFrames(whole, by);
  const [melodySpectrum, takeSpectrum] = computeSpectrograms(melody, take);
  const { transposed, warp, aspects } = findKeyAndVocalTract(
    melodySpectrum,
    takeSpectrum,
    whole,
    by * COARSE_FACTOR,
  );
  onProgress?.(0.5);
  const ofMelody = mergeFrames(pickFrames(toComparableSound(melodySpectrum, 1), whole.source), by);
  const ofTake = mergeFrames(toComparableSound(takeSpectrum, warp), by);
  if (!ofTake.activity.includes(VOICED_FRAME) || !ofMelody.activity.includes(VOICED_FRAME)) return [];
  const informationShare = getInformationShare(by);
  const prices = computePathCosts(model.lineOf, ofMelody.activity, by);
  const { frames } = ofTake;
  let ratios = computeLikelihoodRatios(ofMelody, ofTake, aspects, transposed);
  let { path } = findBestPath(ratios, frames, prices);
  if (
    aspects.pitch &&
    correctKeyDrift(ofMelody, ofTake, path.places, transposed, Math.round(FRAMES_PER_SECOND / by))
  ) {
    ratios = computeLikelihoodRatios(ofMelody, ofTake, aspects, transposed);
    ({ path } = findBestPath(ratios, frames, prices));
  }
  const occurrences = findOccurrences(path.places, model, ratios, findOnsets(take), by);
  onProgress?.(0.8);
  const active = ofTake.activity.reduce((sum, one) => sum + (one === SILENT_FRAME ? 0 : 1), 0);
  const chance = computeChanceScore(ratios, frames, prices, {
    rounds: 2,
    framesPerSecond: FRAMES_PER_SECOND / by,
  });
  const sure = computeLineConfidences(occurrences, model, {
    active,
    gain: path.score - chance,
    margins: computeMargins(ratios, frames, model, prices, occurrences),
    isDistinct: computeLineDistinctness(ratios, model, prices, occurrences, informationShare),
    informationShare,
  });
  return occurrences.flatMap(({ index, start, end, firstPlace, lastPlace }, at) => {
    const { line, from, to } = model.lines[index]!;
    // Drops a line of which the take covers so little that the match is probably a breath or another word.
    // Such a line is not even reported as a guess.
    if ((lastPlace - firstPlace + 1) / (to - from) < MIN_EDGE_COVERAGE) return [];
    return { line, start, end, sure: sure[at]! };
  });
}

/** Maximum deviation, in cents, that counts as drift. A note that is further off is wrong. */
const DRIFT_CENTS = 140;

/**
 * Corrects the take's pitch in place if its key drifts or was not found exactly.
 * @param step number of frames that are corrected together
 * @returns whether any pitch changed
 */
function correctKeyDrift(
  melody: ComparableSound,
  take: ComparableSound,
  places: Int32Array,
  transposed: number,
  step: number,
): boolean {
  const differences = Array.from(places, (place, t) => {
    if (place < 0 || take.pitch[t]! < 0 || melody.pitch[place]! < 0) return null;
    const d =
      (take.pitch[t]! - melody.pitch[place]! - transposed + 3 * PITCH_STEPS_PER_OCTAVE) %
      PITCH_STEPS_PER_OCTAVE;
    const wrapped = d > PITCH_STEPS_PER_OCTAVE / 2 ? d - PITCH_STEPS_PER_OCTAVE : d;
    return Math.abs(wrapped * PITCH_STEP_CENTS) <= DRIFT_CENTS ? wrapped : null;
  });
  const around = 10 * step;
  let changed = false;
  for (let from = 0; from < places.length; from += step) {
    const near = differences
      .slice(Math.max(0, from - around), from + step + around)
      .filter((d) => d !== null)
      .sort((a, b) => a - b);
    if (near.length < 2 * step) continue;
    const median = near[near.length >> 1]!;
    if (median === 0) continue;
    changed = true;
    for (let t = from; t < Math.min(places.length, from + step); t++) {
      if (take.pitch[t]! >= 0)
        take.pitch[t] = (take.pitch[t]! - median + PITCH_STEPS_PER_OCTAVE) % PITCH_STEPS_PER_OCTAVE;
    }
  }
  return changed;
}
