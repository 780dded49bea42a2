import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { formatDuration } from '#web/ui/format-duration.ts';
import type { Feedback, Mark } from '#features/feedback/contract.ts';
import { findLineOfMark } from '#features/feedback/web/marks/mark-lines.ts';
import { getTimedLines } from '#features/melodies/timed-lines.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { parseSungLines, getLineWords } from '#features/lyrics/parse.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import { addTeachingNote } from './add-teaching-note.ts';
import { NoteCard } from './note-card.tsx';
import { NoteForm } from './note-form.tsx';
import { findSungLineIndex, getTextLineIndex } from './notes-by-line.ts';
import { isNoteEdited, createNoteDraftOptions, type NoteToSend } from './note-draft.ts';
import { getTeachingNotesUrl, useNoteVoicePlayer } from './use-line-notes.ts';
import { removeStudentNames } from './remove-student-names.ts';

type NoteFromMarkFormProps = {
  feedback: Pick<Feedback, 'recording' | 'marks' | 'voices'>;
  melodyId: number;
  mark: Mark;
  onClose: () => void;
  /** @param words the words of the note's line */
  onSaved: (words: string) => void;
};

export default function NoteFromMarkForm({ melodyId, ...props }: NoteFromMarkFormProps) {
  const melody = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  if (melody.data) return <Form melody={melody.data} {...props} />;
  if (!melody.isError) return <Skeleton className="h-64 w-full" />;
  return <LoadFailure sentence="The melody could not be loaded." of={melody} />;
}

type FormProps = Omit<NoteFromMarkFormProps, 'melodyId'> & { melody: MelodyDetail };

function Form({ melody, feedback: { recording, marks, voices }, mark, onClose, onSaved }: FormProps) {
  const lines = useMemo(() => parseSungLines(melody.melodyText ?? ''), [melody.melodyText]);
  const voice = voices.find(({ id }) => id === mark.voice) ?? null;
  const line = findLineOfMark(mark, marks, getTimedLines(melody));
  const proposed = {
    line: line && getTextLineIndex(lines, line.index),
    text: removeStudentNames(mark.text, recording.student),
    hasVoice: voice !== null,
  };
  const draft = useFormDraft(
    createNoteDraftOptions(`teaching note of mark ${recording.id} ${mark.start}`, proposed),
  );
  const typed = { ...draft.value, hasVoice: draft.value.hasVoice && voice !== null };
  const [wasRestored] = useState(isNoteEdited(typed, proposed));
  const voicePlayer = useNoteVoicePlayer(null);
  const save = useMutation({
    mutationFn: (note: NoteToSend) => {
      // Stores the idempotency key before sending, so that the server recognizes a retry even after a reload.
      draft.change(typed);
      const voiceOf = typed.hasVoice && voice ? { recordingId: recording.id, voice: voice.id } : undefined;
      return addTeachingNote(melody.id, { ...note, clientId: typed.clientId, voiceOf }, () => {
        const clientId = createUuid();
        draft.change({ ...typed, clientId });
        return clientId;
      });
    },
    meta: { refreshes: [getTeachingNotesUrl(melody.id)] },
    onSuccess: (note) => {
      draft.forget();
      onSaved(getWordsAt(note.line));
    },
  });
  const getWordsAt = (at: number) => {
    const index = findSungLineIndex(lines, at);
    return index === null ? '' : getLineWords(lines[index]!);
  };
  const text = typed.text.trim();

  if (lines.length === 0)
    return <p>“{melody.title}” has no words yet. A note belongs to a line, so please add the words first.</p>;
  return (
    <NoteForm
      {...{ lines, typed, wasRestored }}
      onChange={draft.change}
      student={recording.student}
      {...(voice && { voiceLabel: `Include the voice comment, ${formatDuration(voice.duration)}` })}
      submitLabel="Save note"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onCancel={() => {
        draft.forget();
        onClose();
      }}
    >
      {(text !== '' || typed.hasVoice) && (
        <section aria-label="Preview of the note" className="rounded-lg bg-saffron-ground p-2">
          {typed.line !== null && (
            <p {...getLangProps(getWordsAt(typed.line))} className="px-1 pb-2 font-serif wrap-anywhere">
              {getWordsAt(typed.line)}
            </p>
          )}
          <NoteCard note={{ id: 0, text, voice: typed.hasVoice ? voice : null }} voices={voicePlayer} />
        </section>
      )}
    </NoteForm>
  );
}
