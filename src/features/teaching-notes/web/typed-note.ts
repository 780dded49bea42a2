import type { DraftOptions } from '#web/drafts/draft.ts';
import { newId } from '#web/uploads/new-id.ts';

/** A note as it is being written. */
export type TypedNote = {
  /** As the server counts: the lines of the text, blank ones too. Null until one is chosen. */
  line: number | null;
  text: string;
  hasVoice: boolean;
  /** So that one that is sent twice is there once; of no use where a note is changed. */
  clientId: string;
};

/** With how its line begins on this page: the server refuses it if the line begins differently by now. */
export type NoteToSend = { line: number; lineWords: string; text: string };

/**
 * What is typed into a note stays on the device until it is kept or given up.
 * @param of names the note: 'teaching note 12'
 * @param proposed what the form begins with
 */
export const noteDraft = (of: string, proposed: Omit<TypedNote, 'clientId'>): DraftOptions<TypedNote> => ({
  of,
  begin: (kept) => ({ clientId: newId(), ...proposed, ...(typeof kept === 'object' ? kept : null) }),
  keep: (typed) => typed,
});

export const isOther = (typed: TypedNote, proposed: Omit<TypedNote, 'clientId'>) =>
  (['line', 'text', 'hasVoice'] as const).some((field) => typed[field] !== proposed[field]);
