/** What one admin may keep. */
export const PHRASES_MAX = 100;

export const PHRASE_NAME_MAX = 30;
export const PHRASE_TEXT_MAX = 1_000;

export const PHRASE_NAME_WRONG = 'Please give it a name without spaces or slashes.';
export const PHRASE_TEXT_MISSING = 'Please write what the phrase says.';

/** How many of her earlier answers at a melody are looked through for what to offer. */
export const ANSWERS_SEARCHED = 50;

/** How much of them, newest first, so that long ones do not hold up the server. */
export const CHARACTERS_SEARCHED = 200_000;

/** How many sentences of them are offered. */
export const OFFERED_MAX = 12;
