import { NAME_MAX } from '#features/accounts/limits.ts';

/**
 * Length of a passage, in seconds. Anything shorter is too short to be singing; anything longer would be a recording.
 */
export const PASSAGE_SECONDS_MIN = 0.5;
export const PASSAGE_SECONDS_MAX = 30;

/** Maximum number of unanswered questions a student may have at once. */
export const ASKED_MAX = 10;

export const AGREEMENTS_PAGE = 50;

/** Length of the name typed to agree. */
export const SIGNATURE_MAX = 2 * NAME_MAX;
