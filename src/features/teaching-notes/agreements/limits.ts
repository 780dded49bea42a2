import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';

/**
 * Minimum and maximum length of a passage. A shorter passage contains no singing, and a longer passage would be
 * a whole recording.
 */
export const MIN_SHARED_PASSAGE_SECONDS = 0.5;
export const MAX_SHARED_PASSAGE_SECONDS = 30;

/** Maximum number of unanswered questions that a student may have at the same time. */
export const MAX_OPEN_AGREEMENT_REQUESTS = 10;

export const AGREEMENTS_PAGE_SIZE = 50;

/** Maximum length of the name that a student types to agree. */
export const MAX_SIGNATURE_LENGTH = 2 * MAX_NAME_LENGTH;
