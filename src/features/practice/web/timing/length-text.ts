import { duration, tenths } from '#web/ui/duration.ts';

/**
 * Formats the length of the melody. The server rounds it to whole seconds, so tenths are shown only if the browser has
 * measured them.
 */
export const lengthText = (seconds: number) =>
  Number.isInteger(seconds) ? duration(seconds) : tenths(seconds);
