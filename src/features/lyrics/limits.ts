export const MAX_MELODY_TEXT_LENGTH = 200_000;

/** Maximum number of timed lines. */
export const MAX_TIMINGS = 20_000;

/**
 * Latest allowed start of a line, in seconds. Far beyond the end of any audio, because the audio's duration
 * is not always known.
 */
export const MAX_TIMING_SECONDS = 24 * 60 * 60;
