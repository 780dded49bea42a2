/** Confidence (`sure`) below which the position of a line is a guess. */
export const MIN_LINE_CONFIDENCE = 0.5;

/** Minimum time between the starts of two lines, and the step by which a correction moves a line. */
export const MIN_LINE_SECONDS = 0.1;
