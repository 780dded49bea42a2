import { issuesOf } from '#web/api/call.ts';
import type { DraftOptions } from '#web/drafts/draft.ts';
import { isTooLong } from '#web/ui/text-limit.tsx';
import { newId } from '#web/uploads/new-id.ts';
import { TEACHING_NOTE_EMPTY, TEACHING_NOTE_TEXT_MAX } from '../limits.ts';

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

export type NoteProblems = { line?: string | undefined; text?: string | undefined };

export const LINE_MISSING = 'Please choose the line.';

export const problemsIn = ({ line, text, hasVoice }: TypedNote): NoteProblems => ({
  ...(line === null && { line: LINE_MISSING }),
  ...(text.trim() === '' && !hasVoice && { text: TEACHING_NOTE_EMPTY }),
});

/** The field says this itself while one types. */
export const isTextTooLong = ({ text }: TypedNote) => isTooLong(text, TEACHING_NOTE_TEXT_MAX);

/** The server's sentences, by field. */
export function refusedIn(error: unknown): NoteProblems {
  const messageOf = (field: string) => issuesOf(error).find(({ path }) => path === field)?.message;
  return { line: messageOf('line'), text: messageOf('text') };
}

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
