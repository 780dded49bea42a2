/** Maximum number of melodies in one student's log. */
export const PRACTISED_MAX = 500;
/**
 * Maximum number of days with practice in one student's log, summed over all melodies: 20 melodies a day for 13 years.
 */
export const PRACTISED_DAYS_MAX = 100_000;
/** Number of a student's latest additions whose ids are stored to recognize a retry. */
export const ADDED_KEPT = 10_000;
/** Maximum number of additions in one call. */
export const ADDED_AT_ONCE = 100;
/** Days before today to which practice can still be added. Ids of older additions are deleted. */
export const ADDED_DAYS = 400;
export const DAY_SECONDS = 86_400;
export const DAY_TIMES = 100_000;
/** Maximum for a target and for the number of times sung before the log. */
export const COUNT_MAX = 100_000_000;
export const DAYS_PAGE = 31;
