/** Below this `sure`, where a line is sung is a guess. */
export const SURE = 0.5;

/** Between the beginnings of two lines, and the step by which one is corrected. */
export const LEAST_LINE_SECONDS = 0.1;
