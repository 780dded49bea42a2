/** Melodies in one student's log. */
export const PRACTISED_MAX = 500;
/** Days with practice in one student's log, of all melodies together: 20 melodies on each day of 13 years. */
export const PRACTISED_DAYS_MAX = 100_000;
/** How many of a student's latest additions are remembered, to recognize one that comes again. */
export const ADDED_KEPT = 10_000;
/** What is added in one call. */
export const ADDED_AT_ONCE = 100;
/** Days before today that practice may still be added to; what an older call added is forgotten. */
export const ADDED_DAYS = 400;
export const DAY_SECONDS = 86_400;
export const DAY_TIMES = 100_000;
/** Of a target, and of what was sung before. */
export const COUNT_MAX = 100_000_000;
export const DAYS_PAGE = 31;
