/** Level of a quiet room through a phone's microphone. Anything quieter counts as silence. */
const FLOOR_DECIBELS = -50;

/**
 * Returns a meter's reading, 0 to 1, for a peak of 0 to 1. The scale is in decibels, like hearing: on a linear
 * scale, a soft voice (0.05 of full scale) would hardly move the meter.
 */
export function getMeterLevel(peak: number): number {
  if (peak <= 0) return 0;
  const decibels = 20 * Math.log10(peak);
  return Math.min(1, Math.max(0, 1 - decibels / FLOOR_DECIBELS));
}
