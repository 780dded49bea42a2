/** Maximum number of notes for one melody. */
export const MAX_TEACHING_NOTES = 100;

export const MAX_TEACHING_NOTE_LENGTH = 1_000;

export const EMPTY_TEACHING_NOTE_MESSAGE = 'Please write the note.';

/** Maximum length, in characters, of the line beginning that identifies a note's line. */
export const MAX_LINE_BEGINNING_LENGTH = 200;
