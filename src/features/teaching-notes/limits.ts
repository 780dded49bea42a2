/** Maximum number of notes for one melody. */
export const MAX_TEACHING_NOTES = 100;

export const MAX_TEACHING_NOTE_LENGTH = 1_000;

export const EMPTY_TEACHING_NOTE_MESSAGE = 'Please write the note.';

/** Number of characters at the beginning of a line that identify it. */
export const MAX_LINE_BEGINNING_LENGTH = 200;
