import { formatDuration, formatDurationToTenths } from '#web/ui/format-duration.ts';

/**
 * Formats the duration of the melody. The server rounds durations to whole seconds, so tenths are shown only
 * if the browser has measured them.
 */
export const formatMelodyDuration = (seconds: number) =>
  Number.isInteger(seconds) ? formatDuration(seconds) : formatDurationToTenths(seconds);
