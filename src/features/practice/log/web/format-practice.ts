/** Formats seconds as '12 min' or '4 h 20 min', with at least 1 minute for anything above 0. */
export function formatPracticeDuration(seconds: number): string {
  const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${minutes} min`;
  return rest === 0 ? `${formatNumber(hours)} h` : `${formatNumber(hours)} h ${rest} min`;
}

/** Formats a number of times as '1 time' or '1,112 times'. */
export const formatTimesSung = (times: number) => (times === 1 ? '1 time' : `${formatNumber(times)} times`);

export const formatNumber = (count: number) => count.toLocaleString('en');

/** Formats practice as '12 min, 3 times', or as '12 min' if `times` is 0. */
export const formatPracticeTotals = ({ seconds, times }: { seconds: number; times: number }) =>
  times === 0
    ? formatPracticeDuration(seconds)
    : `${formatPracticeDuration(seconds)}, ${formatTimesSung(times)}`;

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Formats a day as 'Today' or '20 November 2026'.
 * @param today in the same format as `day`, for example 2026-11-20
 */
export const formatPracticeDay = (day: string, today: string) =>
  day === today ? 'Today' : dateFormat.format(new Date(`${day}T00:00Z`));

/**
 * Parses a whole number as people write it, for example '100,000' or '100 000'. Returns `empty` for an empty
 * field; null for numbers above `max` and for anything else, such as '1.5'.
 */
export function parseWholeNumber(typed: string, max: number, empty: number): number | null {
  const trimmed = typed.trim();
  if (trimmed === '') return empty;
  // Accepts separators only where they group thousands or lakhs ('1,00,000'). Otherwise, '1.5' would become
  // 15.
  const isWhole = /^(\d{1,9}|\d{1,3}([\s,.'’]\d{2,3})?[\s,.'’]\d{3})$/.test(trimmed);
  const number = isWhole ? Number(trimmed.replaceAll(/\D/g, '')) : NaN;
  return number <= max ? number : null;
}

/** Returns the error message for text that {@link parseWholeNumber} could not parse. */
export const getRangeErrorMessage = (max: number) =>
  `Please enter a whole number from 0 to ${formatNumber(max)}.`;
