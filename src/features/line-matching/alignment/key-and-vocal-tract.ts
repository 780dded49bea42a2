import {
  computeLikelihoodRatios,
  PITCH_STEPS_PER_OCTAVE,
  type ComparedAspects,
} from './likelihood-ratios.ts';
import { toComparableSound, pickFrames, mergeFrames, type Spectrogram } from './comparable-sound.ts';
import { FRAMES_PER_SECOND } from './features.ts';
import { mergeModelFrames, type MelodyModel } from './melody-model.ts';
import { computePathCosts } from './path-costs.ts';
import { computeChanceScore } from './chance-score.ts';
import { findBestPath } from './viterbi.ts';

/** Factors by which another singer's formants may be higher or lower than the teacher's. */
const TRACT_WARPS = [0.78, 0.85, 0.92, 1, 1.09, 1.18, 1.28];
const UNWARPED = TRACT_WARPS.indexOf(1);
const TRANSPOSITION_STEP = 2;
const CANDIDATES_PER_ASPECT = 3;
/**
 * Bonus in nats for comparing both pitch and timbre, which is preferred unless one alone scores clearly better.
 */
const BOTH_BONUS = 8;

type KeyAndTract = { transposed: number; warp: number; aspects: ComparedAspects };

/**
 * Finds the best fit in a coarse pass: how much higher the take is sung (within an octave), how the singer's
 * vocal tract differs, and which aspects to compare.
 * @param by number of frames to merge
 */
export function findKeyAndVocalTract(
  melody: Spectrogram,
  take: Spectrogram,
  model: MelodyModel,
  by: number,
): KeyAndTract {
  const ofMelody = mergeFrames(pickFrames(toComparableSound(melody, 1), model.source), by);
  const ofTake = TRACT_WARPS.map((warp) => mergeFrames(toComparableSound(take, warp), by));
  const prices = computePathCosts(mergeModelFrames(model, by).lineOf, ofMelody.activity, by);
  const frames = ofTake[0]!.frames;
  const ratiosOf = (warp: number, transposed: number, aspects: ComparedAspects) =>
    computeLikelihoodRatios(ofMelody, ofTake[warp]!, aspects, transposed);
  const score = (warp: number, transposed: number, aspects: ComparedAspects) =>
    findBestPath(ratiosOf(warp, transposed, aspects), frames, prices, { path: false }).path.score;
  const keys = Array.from(
    { length: PITCH_STEPS_PER_OCTAVE / TRANSPOSITION_STEP },
    (_, index) => index * TRANSPOSITION_STEP,
  );
  const bestKeys = pickBest(keys, (key) => score(UNWARPED, key, PITCH));
  const bestWarps = pickBest([...TRACT_WARPS.keys()], (warp) => score(warp, 0, TIMBRE));
  const both = bestKeys.flatMap((transposed) => bestWarps.map((warp) => ({ transposed, warp })));
  const [best] = pickBest(both, ({ warp, transposed }) => score(warp, transposed, BOTH));
  const candidates = [
    { ...best!, aspects: BOTH },
    { transposed: 0, warp: bestWarps[0]!, aspects: TIMBRE },
    { transposed: bestKeys[0]!, warp: UNWARPED, aspects: PITCH },
  ];
  const [bestCandidate] = pickBest(candidates, ({ warp, transposed, aspects }) => {
    const ratios = ratiosOf(warp, transposed, aspects);
    const chance = computeChanceScore(ratios, frames, prices, {
      rounds: 3,
      framesPerSecond: FRAMES_PER_SECOND / by,
    });
    return (
      findBestPath(ratios, frames, prices, { path: false }).path.score -
      chance +
      (aspects === BOTH ? BOTH_BONUS : 0)
    );
  });
  return { ...bestCandidate!, warp: TRACT_WARPS[bestCandidate!.warp]! };
}

const BOTH: ComparedAspects = { pitch: true, timbre: true };
const PITCH: ComparedAspects = { pitch: true, timbre: false };
const TIMBRE: ComparedAspects = { pitch: false, timbre: true };

function pickBest<T>(choices: readonly T[], scoreOf: (choice: T) => number): T[] {
  return choices
    .map((choice) => ({ choice, score: scoreOf(choice) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES_PER_ASPECT)
    .map(({ choice }) => choice);
}
