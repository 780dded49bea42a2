import { SILENT, VOICED } from './activity.ts';
import { chanceRatios, OCTAVE, PITCH_STEP, type Comparable } from './chance-ratios.ts';
import { comparable, framesOf, spectraOf, thinned } from './comparable.ts';
import { FRAMES_PER_SECOND, type Features } from './features.ts';
import { searchKeyAndTract } from './key-and-tract.ts';
import { modelOf, thinnedModel, type LineStart } from './melody-model.ts';
import { pricesOf, shareToldBy } from './prices.ts';
import { occurrencesOf } from './occurrences.ts';
import { onsetsOf } from './onsets.ts';
import { chanceScore } from './shuffled.ts';
import { LEAST_COVERED_AT_AN_END, marginsOf, surenessOf } from './sureness.ts';
import { placedOf } from './twins.ts';
import { viterbi } from './viterbi.ts';

export type FoundLine = {
  /** As in the melody's timings. */
  line: number;
  /** In seconds of the take. */
  start: number;
  end: number;
  /** From 0 to 1; below ½ it is a guess. */
  sure: number;
};

/**
 * Maximum size of the melody × take matrix, which bounds memory and time. Larger ones are thinned by merging frames.
 */
const MOST_CELLS = 16_000_000;
/**
 * Matrix size while a user waits: two minutes of sound take less than half the time, and about as many lines are
 * found.
 */
export const CELLS_WHILE_ONE_WAITS = 1_000_000;
/** Maximum number of frames to merge while a user waits. */
const TOGETHER_WHILE_ONE_WAITS = 3;
/** Maximum number of frames to merge: at fewer than 3 frames a second, nothing is recognized. */
const MOST_TOGETHER = 8;
/** The first, coarse pass merges this many times more frames. */
const COARSER = 3;

/**
 * Finds where the lines of a melody are sung in a take by another singer, in another key, faster or slower, with
 * lines left out or repeated, or starting in the middle.
 * @param starts the melody's timings
 * @param options `onProgress` is called with 0 to 1 now and then; beyond `cells`, up to three frames are merged
 */
export function findLines(
  melody: Features,
  starts: readonly LineStart[],
  take: Features,
  { onProgress, cells = MOST_CELLS }: { onProgress?: (fraction: number) => void; cells?: number } = {},
): FoundLine[] {
  const whole = modelOf(melody, starts);
  if (whole.lines.length === 0 || take.frames < 2) return [];
  const togetherFor = (most: number) => Math.ceil(Math.sqrt((whole.source.length * take.frames) / most));
  const by = Math.max(togetherFor(MOST_CELLS), Math.min(TOGETHER_WHILE_ONE_WAITS, togetherFor(cells)));
  if (by > MOST_TOGETHER) return [];
  const model = thinnedModel(whole, by);
  const [melodySpectrum, takeSpectrum] = spectraOf(melody, take);
  const { transposed, warp, aspects } = searchKeyAndTract(melodySpectrum, takeSpectrum, whole, by * COARSER);
  onProgress?.(0.5);
  const ofMelody = thinned(framesOf(comparable(melodySpectrum, 1), whole.source), by);
  const ofTake = thinned(comparable(takeSpectrum, warp), by);
  if (!ofTake.activity.includes(VOICED) || !ofMelody.activity.includes(VOICED)) return [];
  const told = shareToldBy(by);
  const prices = pricesOf(model.lineOf, ofMelody.activity, by);
  const { frames } = ofTake;
  let ratios = chanceRatios(ofMelody, ofTake, aspects, transposed);
  let { path } = viterbi(ratios, frames, prices);
  if (aspects.pitch && retune(ofMelody, ofTake, path.places, transposed, FRAMES_PER_SECOND / by)) {
    ratios = chanceRatios(ofMelody, ofTake, aspects, transposed);
    ({ path } = viterbi(ratios, frames, prices));
  }
  const occurrences = occurrencesOf(path.places, model, ratios, onsetsOf(take), by);
  onProgress?.(0.8);
  const active = ofTake.activity.reduce((sum, one) => sum + (one === SILENT ? 0 : 1), 0);
  const chance = chanceScore(ratios, frames, prices, { rounds: 2, framesPerSecond: FRAMES_PER_SECOND / by });
  const sure = surenessOf(occurrences, model, {
    active,
    gain: path.score - chance,
    margins: marginsOf(ratios, frames, model, prices, occurrences),
    placed: placedOf(ratios, model, prices, occurrences, told),
    told,
  });
  return occurrences.flatMap(({ index, start, end, firstPlace, lastPlace }, at) => {
    const { line, from, to } = model.lines[index]!;
    // A breath, or the beginning of another word: not even worth a guess.
    if ((lastPlace - firstPlace + 1) / (to - from) < LEAST_COVERED_AT_AN_END) return [];
    return { line, start, end, sure: sure[at]! };
  });
}

/** A note that is further off counts as wrong. */
const DRIFT_CENTS = 140;

/**
 * Follows a key that was not found exactly, or drifts. Changes the take's pitch.
 * @returns whether it changed anything
 */
function retune(
  melody: Comparable,
  take: Comparable,
  places: Int32Array,
  transposed: number,
  step: number,
): boolean {
  const differences = Array.from(places, (place, t) => {
    if (place < 0 || take.pitch[t]! < 0 || melody.pitch[place]! < 0) return null;
    const d = (take.pitch[t]! - melody.pitch[place]! - transposed + 3 * OCTAVE) % OCTAVE;
    const wrapped = d > OCTAVE / 2 ? d - OCTAVE : d;
    return Math.abs(wrapped * PITCH_STEP) <= DRIFT_CENTS ? wrapped : null;
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
      if (take.pitch[t]! >= 0) take.pitch[t] = (take.pitch[t]! - median + OCTAVE) % OCTAVE;
    }
  }
  return changed;
}
