/**
 * Maximum age of feedback whose marks are counted, in months. Older marks say little about how a melody is sung
 * now.
 */
export const MAX_MARK_AGE_MONTHS = 6;

/** Page size of the list of feedback with marks at a line. */
export const MARKED_FEEDBACK_PAGE_SIZE = 20;
