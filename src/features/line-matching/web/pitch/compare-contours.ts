import type { SoundFeatures } from '#features/line-matching/alignment/features.ts';
import { toLineFrames, type LineFrames } from './line-frames.ts';
import { findSyllableStarts } from './syllable-starts.ts';
import { computeLineWarp } from './warp-line.ts';

/** The pitch of one line in the melody and in a take, on the melody's time axis. */
export type ComparedContours = {
  /** Cents; NaN where there is no tone. */
  melodyCents: Float32Array;
  /** Pitch of the take, in cents, shifted as a whole to the teacher's pitch; NaN where there is no tone. */
  takeCents: Float32Array;
  /** Indices where syllables seem to begin; null if that can't be determined. */
  syllables: number[] | null;
};

/**
 * Compares one line of the melody with the same line of a take.
 * @returns null if one of them has no detectable voice
 */
export function compareContours(
  melody: SoundFeatures,
  take: SoundFeatures,
  syllables: number,
): ComparedContours | null {
  const [hers, mine] = [toLineFrames(melody), toLineFrames(take)];
  if (!hers || !mine) return null;
  const warped = computeLineWarp(hers, mine);
  const moved = shiftToTeacherPitch(
    hers,
    Float32Array.from(warped, (at) => mine.cents[Math.round(at)]!),
  );
  return {
    melodyCents: smooth(hers.cents),
    takeCents: smooth(moved),
    syllables: findSyllableStarts(hers, syllables),
  };
}

/** Shifts the pitch by the median difference from the teacher's. */
function shiftToTeacherPitch(hers: LineFrames, cents: Float32Array): Float32Array {
  const apart = Array.from(cents, (one, at) => one - hers.cents[at]!)
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  const middle = apart[apart.length >> 1] ?? 0;
  return cents.map((one) => one - middle);
}

/** Applies a median over five frames if at least three have a tone, so that a creak does not cause a peak. */
function smooth(cents: Float32Array): Float32Array {
  return cents.map((one, at) => {
    if (Number.isNaN(one)) return NaN;
    const near = Array.from(cents.subarray(Math.max(0, at - 2), at + 3))
      .filter((each) => !Number.isNaN(each))
      .sort((a, b) => a - b);
    return near.length < 3 ? one : near[near.length >> 1]!;
  });
}
