import { chanceRatios, OCTAVE, type Aspects } from './chance-ratios.ts';
import { comparable, framesOf, thinned, type Spectrum } from './comparable.ts';
import { FRAMES_PER_SECOND } from './features.ts';
import { thinnedModel, type MelodyModel } from './melody-model.ts';
import { pricesOf } from './prices.ts';
import { chanceScore } from './shuffled.ts';
import { viterbi } from './viterbi.ts';

/** Factors by which another singer's formants may be higher or lower than the teacher's. */
const WARPS = [0.78, 0.85, 0.92, 1, 1.09, 1.18, 1.28];
const UNWARPED = WARPS.indexOf(1);
const TRANSPOSITION_STEP = 2;
const BEST_OF_EACH = 3;
/** Bonus in nats: if pitch or timbre alone scores nearly as well, both are used. */
const BOTH_MORE = 8;

type KeyAndTract = { transposed: number; warp: number; aspects: Aspects };

/**
 * Finds how much higher the take is sung, within the octave, and the singer's vocal tract, by the best fit in a
 * coarse pass.
 * @param by number of frames to merge
 */
export function searchKeyAndTract(
  melody: Spectrum,
  take: Spectrum,
  model: MelodyModel,
  by: number,
): KeyAndTract {
  const ofMelody = thinned(framesOf(comparable(melody, 1), model.source), by);
  const ofTake = WARPS.map((warp) => thinned(comparable(take, warp), by));
  const prices = pricesOf(thinnedModel(model, by).lineOf, ofMelody.activity, by);
  const frames = ofTake[0]!.frames;
  const ratiosOf = (warp: number, transposed: number, aspects: Aspects) =>
    chanceRatios(ofMelody, ofTake[warp]!, aspects, transposed);
  const score = (warp: number, transposed: number, aspects: Aspects) =>
    viterbi(ratiosOf(warp, transposed, aspects), frames, prices, { path: false }).path.score;
  const keys = Array.from({ length: OCTAVE / TRANSPOSITION_STEP }, (_, index) => index * TRANSPOSITION_STEP);
  const bestKeys = bestOf(keys, (key) => score(UNWARPED, key, PITCH));
  const bestWarps = bestOf([...WARPS.keys()], (warp) => score(warp, 0, TIMBRE));
  const both = bestKeys.flatMap((transposed) => bestWarps.map((warp) => ({ transposed, warp })));
  const [best] = bestOf(both, ({ warp, transposed }) => score(warp, transposed, BOTH));
  const ways = [
    { ...best!, aspects: BOTH },
    { transposed: 0, warp: bestWarps[0]!, aspects: TIMBRE },
    { transposed: bestKeys[0]!, warp: UNWARPED, aspects: PITCH },
  ];
  const [way] = bestOf(ways, ({ warp, transposed, aspects }) => {
    const ratios = ratiosOf(warp, transposed, aspects);
    const chance = chanceScore(ratios, frames, prices, {
      rounds: 3,
      framesPerSecond: FRAMES_PER_SECOND / by,
    });
    return (
      viterbi(ratios, frames, prices, { path: false }).path.score -
      chance +
      (aspects === BOTH ? BOTH_MORE : 0)
    );
  });
  return { ...way!, warp: WARPS[way!.warp]! };
}

const BOTH: Aspects = { pitch: true, timbre: true };
const PITCH: Aspects = { pitch: true, timbre: false };
const TIMBRE: Aspects = { pitch: false, timbre: true };

function bestOf<T>(choices: readonly T[], scoreOf: (choice: T) => number): T[] {
  return choices
    .map((choice) => ({ choice, score: scoreOf(choice) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, BEST_OF_EACH)
    .map(({ choice }) => choice);
}
