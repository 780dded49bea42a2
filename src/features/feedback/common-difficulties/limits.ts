/** Marks of answers that are older say little of how a melody is sung now. */
export const MARKS_MONTHS = 6;

/** Answers in a page of those that have marks at a line. */
export const MARKED_ANSWERS_PAGE = 20;
