export const MELODY_TEXT_MAX = 200_000;

/** Maximum number of timed lines. */
export const TIMINGS_MAX = 20_000;

/** Latest start of a line, in seconds. Far beyond the longest audio, whose length is not always known. */
export const TIMING_SECONDS_MAX = 24 * 60 * 60;
