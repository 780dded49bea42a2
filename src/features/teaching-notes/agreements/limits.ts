import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';

/**
 * Length of a passage, in seconds. Anything shorter is too short to be singing; anything longer would be a recording.
 */
export const MIN_PASSAGE_SECONDS = 0.5;
export const MAX_PASSAGE_SECONDS = 30;

/** Maximum number of unanswered questions a student may have at once. */
export const MAX_OPEN_QUESTIONS = 10;

export const AGREEMENTS_PAGE_SIZE = 50;

/** Length of the name typed to agree. */
export const MAX_SIGNATURE_LENGTH = 2 * MAX_NAME_LENGTH;
