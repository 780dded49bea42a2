/** Maximum number of melodies in one student's log. */
export const MAX_PRACTISED_MELODIES = 500;
/**
 * Maximum number of days with practice in one student's log, summed over all melodies. Enough for 20 melodies
 * a day for 13 years.
 */
export const MAX_PRACTICE_LOG_ENTRIES = 100_000;
/** Maximum number of additions whose idempotency keys are stored per student. The oldest keys are deleted. */
export const MAX_PRACTICE_IDEMPOTENCY_KEYS = 10_000;
/** Maximum number of additions in one call. */
export const MAX_PRACTICE_ADDITIONS_PER_CALL = 100;
/**
 * Maximum age, in days, of practice that can still be added. Idempotency keys of older additions are deleted,
 * because the server skips such additions anyway.
 */
export const MAX_PRACTICE_ADDITION_AGE_DAYS = 400;
export const MAX_PRACTICE_SECONDS_PER_DAY = 86_400;
export const MAX_TIMES_SUNG_PER_DAY = 100_000;
/** Maximum number of times that a student can enter as a target, or as sung before the log was started. */
export const MAX_TIMES_SUNG = 100_000_000;
export const PRACTICE_DAYS_PAGE_SIZE = 31;
