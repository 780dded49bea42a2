/** What is quieter than this counts as silence: a quiet room on a telephone's microphone. */
const FLOOR_DECIBELS = -50;

/**
 * Where a meter should stand, 0 to 1, for a peak of 0 to 1. In decibels, as one hears: drawn linearly, a soft
 * voice (0.05 of full scale) would hardly stir it.
 */
export function levelOfPeak(peak: number): number {
  if (peak <= 0) return 0;
  const decibels = 20 * Math.log10(peak);
  return Math.min(1, Math.max(0, 1 - decibels / FLOOR_DECIBELS));
}
