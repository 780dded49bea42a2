/** Maximum number of phrases per admin. */
export const PHRASES_MAX = 100;

export const PHRASE_NAME_MAX = 30;
export const PHRASE_TEXT_MAX = 1_000;

export const PHRASE_NAME_WRONG = 'Please choose a name without spaces or slashes.';
export const PHRASE_TEXT_MISSING = 'Please write the text of the phrase.';

/** Number of the teacher's earlier replies at a melody that are searched for sentences. */
export const ANSWERS_SEARCHED = 50;

/** Maximum number of characters searched, newest first, so that long replies do not block the server. */
export const CHARACTERS_SEARCHED = 200_000;

/** Maximum number of sentences offered. */
export const OFFERED_MAX = 12;
