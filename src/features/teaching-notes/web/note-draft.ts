import type { FormDraftOptions } from '#web/drafts/form-draft.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';

export type NoteDraft = {
  /** Index of the line in the text, counting blank lines; null until chosen. */
  line: number | null;
  text: string;
  hasVoice: boolean;
  /** Idempotency key of a new note; unused when editing. */
  clientId: string;
};

/**
 * A note as sent to the server. `lineWords` is the beginning of the note's line as this page shows it. The
 * server rejects the note if the line now begins differently.
 */
export type NoteToSend = { line: number; lineWords: string; text: string };

/**
 * Returns options for a draft, which stores an unsaved note on the device until it is saved or discarded.
 * @param of name of the draft, such as 'teaching note 12'
 * @param proposed initial values of the form
 */
export const createNoteDraftOptions = (
  of: string,
  proposed: Omit<NoteDraft, 'clientId'>,
): FormDraftOptions<NoteDraft> => ({
  name: of,
  restore: (kept) => ({ clientId: createUuid(), ...proposed, ...(typeof kept === 'object' ? kept : null) }),
  toStored: (typed) => typed,
});

export const isNoteEdited = (typed: NoteDraft, proposed: Omit<NoteDraft, 'clientId'>) =>
  (['line', 'text', 'hasVoice'] as const).some((field) => typed[field] !== proposed[field]);
