import { createSeededRandom } from './random.ts';
import { findBestPath, type PathCosts } from './viterbi.ts';

/**
 * Length of the pieces that are shuffled: long enough for a few syllables, but so short that hardly any phrase
 * survives.
 */
const PIECE_SECONDS = 1.1;

/**
 * Returns the score that a path reaches by chance: the best score over several rounds in which the melody is
 * cut into pieces and shuffled.
 */
export function computeChanceScore(
  ratios: Int8Array,
  takeFrames: number,
  prices: PathCosts,
  { rounds, framesPerSecond }: { rounds: number; framesPerSecond: number },
): number {
  const width = prices.enter.length;
  const piece = Math.round(PIECE_SECONDS * framesPerSecond);
  const random = createSeededRandom();
  const shuffled = new Int8Array(ratios.length);
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const order = shuffle(width, piece, random);
    for (let row = 0; row < takeFrames * width; row += width) {
      for (let at = 0; at < width; at++) shuffled[row + at] = ratios[row + order[at]!]!;
    }
    best = Math.max(best, findBestPath(shuffled, takeFrames, prices, { path: false }).path.score);
  }
  return best;
}

function shuffle(width: number, piece: number, random: () => number): Int32Array {
  const pieces = Array.from({ length: Math.ceil(width / piece) }, (_, index) => index);
  for (let at = pieces.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [pieces[at], pieces[other]] = [pieces[other]!, pieces[at]!];
  }
  const order = new Int32Array(width);
  let filled = 0;
  for (const one of pieces) {
    for (let at = one * piece; at < Math.min(width, (one + 1) * piece); at++) order[filled++] = at;
  }
  return order;
}
