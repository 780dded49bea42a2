import type { Mark } from '#features/feedback/contract.ts';

/** Seconds played from a mark that has no end. */
const DEFAULT_MARK_SECONDS = 4;

/**
 * Minimum duration of a mark's passage or voice comment, in seconds. Anything shorter counts as accidental.
 */
export const MIN_MARK_SOUND_SECONDS = 0.3;

/** Rounds to tenths of a second, which are easy to read. Smaller differences are inaudible. */
export const roundToTenth = (seconds: number) => Math.round(seconds * 10) / 10;

/** Returns the passage that a mark plays, in seconds from the start of the recording. */
export const getMarkPassage = ({ start, end }: Pick<Mark, 'start' | 'end'>) => ({
  start,
  end: end ?? start + DEFAULT_MARK_SECONDS,
});

/** Returns the mark with its end at `seconds`, or unchanged if its passage would be too short. */
export const endMarkAt = (mark: Mark, seconds: number): Mark =>
  seconds - mark.start < MIN_MARK_SOUND_SECONDS ? mark : { ...mark, end: roundToTenth(seconds) };

/** Parses a typed time ('0:42', '1:05.5', '42') as seconds, rounded to tenths; null if invalid. */
export function parseEditableTime(typed: string): number | null {
  const match = /^\s*(?:(\d{1,3}):)?(\d{1,4}(?:[.,]\d+)?)\s*$/.exec(typed);
  if (!match) return null;
  const seconds = Number(match[2]!.replace(',', '.'));
  if (match[1] !== undefined && seconds >= 60) return null;
  return roundToTenth(Number(match[1] ?? 0) * 60 + seconds);
}

/** Formats seconds for editing: '0:42', '1:05.5'. */
export function formatEditableTime(seconds: number): string {
  const minutes = Math.floor(roundToTenth(seconds) / 60);
  const rest = roundToTenth(roundToTenth(seconds) - minutes * 60);
  return `${minutes}:${rest < 10 ? '0' : ''}${rest}`;
}

/** Returns why these times are invalid, or null. */
export function validateMarkTimes(start: number | null, end: number | null, duration: number): string | null {
  if (start === null) return 'Please type a time like 0:42.';
  if (start > duration) return 'That is after the end of the recording.';
  if (end === null) return null;
  if (end <= start) return 'The end must be after the start.';
  return end > duration + 1 ? 'That is after the end of the recording.' : null;
}
