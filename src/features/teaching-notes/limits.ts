/** What one melody may have. */
export const TEACHING_NOTES_MAX = 100;

export const TEACHING_NOTE_TEXT_MAX = 1_000;

export const TEACHING_NOTE_EMPTY = 'Please write what the note says.';

/** Of a line's words, by which it is known. */
export const LINE_WORDS_MAX = 200;
