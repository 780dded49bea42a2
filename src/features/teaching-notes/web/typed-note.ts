import type { DraftOptions } from '#web/drafts/draft.ts';
import { createId } from '#web/uploads/create-id.ts';

/** Note being written. */
export type TypedNote = {
  /** Line of the text as the server counts, blank lines included; null until chosen. */
  line: number | null;
  text: string;
  hasVoice: boolean;
  /** Idempotency key of a new note; unused when editing. */
  clientId: string;
};

/** Note as sent. `lineWords` is how its line begins on this page; the server rejects the note if that has changed. */
export type NoteToSend = { line: number; lineWords: string; text: string };

/**
 * Keeps a note's text on the device until it is saved or discarded.
 * @param of names the note: 'teaching note 12'
 * @param proposed initial values of the form
 */
export const createNoteDraftOptions = (
  of: string,
  proposed: Omit<TypedNote, 'clientId'>,
): DraftOptions<TypedNote> => ({
  of,
  begin: (kept) => ({ clientId: createId(), ...proposed, ...(typeof kept === 'object' ? kept : null) }),
  keep: (typed) => typed,
});

export const isEdited = (typed: TypedNote, proposed: Omit<TypedNote, 'clientId'>) =>
  (['line', 'text', 'hasVoice'] as const).some((field) => typed[field] !== proposed[field]);
