/** Below this `sure`, where a line is sung is a guess. */
export const SURE = 0.5;
