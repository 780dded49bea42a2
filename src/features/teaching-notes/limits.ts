/** Maximum number of notes for one melody. */
export const MAX_TEACHING_NOTES = 100;

export const MAX_TEACHING_NOTE_LENGTH = 1_000;

export const EMPTY_TEACHING_NOTE_MESSAGE = 'Please write the note.';

/** Maximum length of the beginning of a line by which a note identifies the line, in characters. */
export const MAX_LINE_BEGINNING_LENGTH = 200;
