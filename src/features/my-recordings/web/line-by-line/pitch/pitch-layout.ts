import { isTibetan } from '#features/lyrics/tibetan-script.ts';

/** A point in the picture: `x` from 0 (left) to 1 (right), `y` from 0 (top) to 1 (bottom). */
export type ContourPoint = { x: number; y: number };

/**
 * Maximum gap, in values of the contour, across which two tones are connected by a line, for example at a
 * consonant.
 */
const MAX_BRIDGED_GAP = 5;
/** Minimum range, in cents, that is stretched to the full height, so that a level tone looks level. */
const MIN_RANGE_CENTS = 400;
/** Margin above and below, as a share of the height. */
const MARGIN = 0.1;
/**
 * Share of values to ignore at each extreme, so that a falsely detected octave jump does not flatten the rest.
 */
const OUTLIER_SHARE = 0.03;

/**
 * Returns the lines to draw for two contours, on a common scale. A contour has several lines if the voice
 * pauses.
 */
export function getContourPoints(
  hers: Float32Array,
  mine: Float32Array,
): { hers: ContourPoint[][]; mine: ContourPoint[][] } {
  const tones = [...hers, ...mine].filter((cents) => !Number.isNaN(cents)).sort((a, b) => a - b);
  const off = Math.floor(tones.length * OUTLIER_SHARE);
  const [low = 0, high = 0] = [tones[off], tones.at(-1 - off)];
  const range = Math.max(MIN_RANGE_CENTS, high - low);
  const middle = (low + high) / 2;
  const heightOf = (cents: number) => {
    const up = Math.min(1, Math.max(0, (cents - middle) / range + 0.5));
    return MARGIN + (1 - 2 * MARGIN) * (1 - up);
  };
  const drawn = (cents: Float32Array) => {
    const lines: ContourPoint[][] = [];
    let last = -Infinity;
    cents.forEach((one, at) => {
      if (Number.isNaN(one)) return;
      if (at - last > MAX_BRIDGED_GAP) lines.push([]);
      lines.at(-1)!.push({ x: at / Math.max(1, cents.length - 1), y: heightOf(one) });
      last = at;
    });
    return lines;
  };
  return { hers: drawn(hers), mine: drawn(mine) };
}

/** Returns the `d` attribute of an SVG path, scaled to a box of this size. */
export const toPathData = (lines: readonly ContourPoint[][], width: number, height: number) =>
  lines
    .map((points) =>
      points
        .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${(x * width).toFixed(1)} ${(y * height).toFixed(1)}`)
        // Extends a single point by a short line, because a path with only one point would not be drawn.
        .concat(points.length === 1 ? ['h0.1'] : [])
        .join(''),
    )
    .join('');

/** Position of a syllable below the picture. */
export type PositionedSyllable = {
  text: string;
  /** Centre, as a share of the width. */
  x: number;
  row: 0 | 1;
};

/**
 * Width of a letter, as a share of the narrowest picture, which is 215 px wide. Combining marks take no width.
 */
const LETTER_WIDTH = 0.037;
const STACK_WIDTH = 0.055;
const WORD_GAP = 0.015;

const getWordWidth = (text: string) =>
  [...text].filter((letter) => !/\p{M}/u.test(letter)).length *
    (isTibetan(text) ? STACK_WIDTH : LETTER_WIDTH) +
  WORD_GAP;

/**
 * Centres each syllable below the passage in which it is sung: in one row if all fit, otherwise in two
 * alternating rows. Syllables that would overlap are moved to the right.
 */
export function layOutSyllables(
  syllables: readonly { text: string; from: number; to: number }[],
): PositionedSyllable[] {
  const middles = syllables.map(({ from, to }) => (from + to) / 2);
  const fits = syllables.every(({ text }, at) => {
    const room = at === 0 ? 1 : middles[at]! - middles[at - 1]!;
    return at === 0 || room >= (getWordWidth(text) + getWordWidth(syllables[at - 1]!.text)) / 2;
  });
  const ends = [0, 0];
  return syllables.map(({ text }, at) => {
    const row = fits ? 0 : ((at % 2) as 0 | 1);
    const half = getWordWidth(text) / 2;
    const x = Math.min(1 - half, Math.max(middles[at]!, ends[row]! + half));
    ends[row] = x + half;
    return { text, x, row };
  });
}
