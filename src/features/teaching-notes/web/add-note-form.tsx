import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useDraft } from '#web/drafts/use-draft.ts';
import type { Melody } from '#features/melodies/contract.ts';
import type { SungLine } from '#features/lyrics/parse.ts';
import type { TeachingNote } from '../contract.ts';
import { addNote } from './add-note.ts';
import { NoteForm } from './note-form.tsx';
import { isOther, noteDraft, type NoteToSend } from './typed-note.ts';
import { notesOf } from './use-line-notes.ts';

export const draftOfNew = (melodyId: number) => `new teaching note ${melodyId}`;

const EMPTY = { line: null, text: '', hasVoice: false };

type AddNoteProps = {
  melody: Melody;
  lines: readonly SungLine[];
  /** @param note null where it was given up */
  onDone: (note: TeachingNote | null) => void;
};

/** A note by hand: of words alone, since a voice comes from a mark. */
export function AddNote({ melody: { id }, lines, onDone }: AddNoteProps) {
  const draft = useDraft(noteDraft(draftOfNew(id), EMPTY));
  const typed = draft.value;
  const [wasKept] = useState(isOther(typed, EMPTY));
  const add = useMutation({
    mutationFn: (note: NoteToSend) => addNote(id, { ...note, clientId: typed.clientId }),
    meta: { refreshes: [notesOf(id)] },
    onSuccess: (note) => {
      draft.forget();
      onDone(note);
    },
  });
  return (
    <div className="rounded-lg border border-line bg-sunk p-3 sm:p-4">
      <NoteForm
        {...{ lines, typed, wasKept }}
        onChange={draft.change}
        submitLabel="Keep note"
        isBusy={add.isPending}
        error={add.error}
        onSubmit={add.mutate}
        onCancel={() => {
          draft.forget();
          onDone(null);
        }}
      />
    </div>
  );
}
