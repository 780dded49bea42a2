/** Maximum number of phrases per admin. */
export const MAX_PHRASES = 100;

export const MAX_PHRASE_NAME_LENGTH = 30;
export const MAX_PHRASE_TEXT_LENGTH = 1_000;

export const INVALID_PHRASE_NAME_MESSAGE = 'Please choose a name without spaces or slashes.';
export const MISSING_PHRASE_TEXT_MESSAGE = 'Please write the text of the phrase.';

/**
 * Maximum number of a teacher's earlier replies to search for sentences. Only replies to recordings of the
 * same melody are searched.
 */
export const MAX_REPLIES_SEARCHED = 50;

/**
 * Maximum number of characters searched, starting with the newest reply, so that long replies don't block the
 * server.
 */
export const MAX_CHARACTERS_SEARCHED = 200_000;

/** Maximum number of sentences suggested. */
export const MAX_SUGGESTED_PHRASES = 12;
