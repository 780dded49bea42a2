import { isTibetan } from '#features/lyrics/script.ts';

/** Of the picture: 0 to 1 from left to right, and from top to bottom. */
export type Point = { x: number; y: number };

/** A consonant between two tones, in values: the line goes on over it. */
const BRIDGED = 5;
/** Less than this, in cents, does not fill the height: a level tone is to look level. */
const LEAST_RANGE = 400;
/** Of the height, above and beneath. */
const MARGIN = 0.1;
/** A jump of an octave that was misheard does not flatten the rest. */
const OUTLIERS = 0.03;

/** The lines to draw of two contours, in one scale; each is several where the voice rests. */
export function picturePoints(hers: Float32Array, mine: Float32Array): { hers: Point[][]; mine: Point[][] } {
  const tones = [...hers, ...mine].filter((cents) => !Number.isNaN(cents)).sort((a, b) => a - b);
  const off = Math.floor(tones.length * OUTLIERS);
  const [low = 0, high = 0] = [tones[off], tones.at(-1 - off)];
  const range = Math.max(LEAST_RANGE, high - low);
  const middle = (low + high) / 2;
  const heightOf = (cents: number) => {
    const up = Math.min(1, Math.max(0, (cents - middle) / range + 0.5));
    return MARGIN + (1 - 2 * MARGIN) * (1 - up);
  };
  const drawn = (cents: Float32Array) => {
    const lines: Point[][] = [];
    let last = -Infinity;
    cents.forEach((one, at) => {
      if (Number.isNaN(one)) return;
      if (at - last > BRIDGED) lines.push([]);
      lines.at(-1)!.push({ x: at / Math.max(1, cents.length - 1), y: heightOf(one) });
      last = at;
    });
    return lines;
  };
  return { hers: drawn(hers), mine: drawn(mine) };
}

/** For the `d` of a path, in a box of so many units. */
export const pathOf = (lines: readonly Point[][], width: number, height: number) =>
  lines
    .map((points) =>
      points
        .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${(x * width).toFixed(1)} ${(y * height).toFixed(1)}`)
        // One point alone would not be drawn.
        .concat(points.length === 1 ? ['h0.1'] : [])
        .join(''),
    )
    .join('');

/** Where the words beneath a picture stand. */
export type PlacedWord = { text: string; /** Of the width, its middle. */ x: number; row: 0 | 1 };

/** What a letter needs, as a share of the narrowest picture, which is 215 px wide; marks above and beneath need nothing. */
const LETTER = 0.037;
const STACK = 0.055;
const GAP = 0.015;

const widthOf = (text: string) =>
  [...text].filter((letter) => !/\p{M}/u.test(letter)).length * (isTibetan(text) ? STACK : LETTER) + GAP;

/**
 * Words in the middle of their syllables: in one row where they find room, else in two, in turn; those that would lie on
 * one another are pushed aside.
 */
export function placedWords(syllables: readonly { text: string; from: number; to: number }[]): PlacedWord[] {
  const middles = syllables.map(({ from, to }) => (from + to) / 2);
  const fits = syllables.every(({ text }, at) => {
    const room = at === 0 ? 1 : middles[at]! - middles[at - 1]!;
    return at === 0 || room >= (widthOf(text) + widthOf(syllables[at - 1]!.text)) / 2;
  });
  const ends = [0, 0];
  return syllables.map(({ text }, at) => {
    const row = fits ? 0 : ((at % 2) as 0 | 1);
    const half = widthOf(text) / 2;
    const x = Math.min(1 - half, Math.max(middles[at]!, ends[row]! + half));
    ends[row] = x + half;
    return { text, x, row };
  });
}
