export const MAX_MELODY_TEXT_LENGTH = 200_000;

/** Maximum number of timed lines in one melody. */
export const MAX_TIMINGS = 20_000;

/**
 * Latest allowed start of a line, in seconds. It is far beyond the end of any audio, because the duration of a
 * melody's audio is not always known.
 */
export const MAX_TIMING_SECONDS = 24 * 60 * 60;
