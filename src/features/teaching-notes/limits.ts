/** Maximum number of notes for one melody. */
export const TEACHING_NOTES_MAX = 100;

export const TEACHING_NOTE_TEXT_MAX = 1_000;

export const TEACHING_NOTE_EMPTY = 'Please write the note.';

/** Number of characters that identify a line. */
export const LINE_WORDS_MAX = 200;
