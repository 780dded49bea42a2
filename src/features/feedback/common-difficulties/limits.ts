/** Maximum age of the feedback counted, in months: older marks say little about how a melody is sung now. */
export const MARKS_MONTHS = 6;

/** Page size of the list of feedback with marks at a line. */
export const MARKED_ANSWERS_PAGE = 20;
