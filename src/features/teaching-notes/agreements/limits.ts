import { NAME_MAX } from '#features/accounts/limits.ts';

/** Seconds of a passage. Less than the least is no singing; more would be a recording. */
export const PASSAGE_SECONDS_MIN = 0.5;
export const PASSAGE_SECONDS_MAX = 30;

/** Questions that a student may have before them at once. */
export const ASKED_MAX = 10;

export const AGREEMENTS_PAGE = 50;

/** Of a name that is typed to agree. */
export const SIGNATURE_MAX = 2 * NAME_MAX;
