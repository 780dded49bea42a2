import type { Features } from '#features/line-matching/alignment/features.ts';
import { lineFrames, type LineFrames } from './line-frames.ts';
import { syllableStarts } from './syllable-starts.ts';
import { warpLine } from './warp-line.ts';

/** The pitch of one line in two voices, on the melody's time. */
export type ComparedContours = {
  /** Cents; NaN where there is no tone. */
  hers: Float32Array;
  /** Moved to her pitch as a whole. */
  mine: Float32Array;
  /** Where syllables seem to begin, in values; null where that can't be told. */
  syllables: number[] | null;
};

/** Of sounds of one line each. @returns null where one of them has no voice */
export function comparedContours(
  melody: Features,
  take: Features,
  syllables: number,
): ComparedContours | null {
  const [hers, mine] = [lineFrames(melody), lineFrames(take)];
  if (!hers || !mine) return null;
  const warped = warpLine(hers, mine);
  const moved = atHerPitch(
    hers,
    Float32Array.from(warped, (at) => mine.cents[Math.round(at)]!),
  );
  return {
    hers: smooth(hers.cents),
    mine: smooth(moved),
    syllables: syllableStarts(hers, syllables),
  };
}

/** By what most of the line is apart. */
function atHerPitch(hers: LineFrames, cents: Float32Array): Float32Array {
  const apart = Array.from(cents, (one, at) => one - hers.cents[at]!)
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  const middle = apart[apart.length >> 1] ?? 0;
  return cents.map((one) => one - middle);
}

/** The median of five, where three of them have a tone: a creak makes no peak. */
function smooth(cents: Float32Array): Float32Array {
  return cents.map((one, at) => {
    if (Number.isNaN(one)) return NaN;
    const near = Array.from(cents.subarray(Math.max(0, at - 2), at + 3))
      .filter((each) => !Number.isNaN(each))
      .sort((a, b) => a - b);
    return near.length < 3 ? one : near[near.length >> 1]!;
  });
}
