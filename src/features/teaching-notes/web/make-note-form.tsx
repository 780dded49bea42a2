import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useDraft } from '#web/drafts/use-draft.ts';
import { apiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { duration } from '#web/ui/duration.ts';
import type { Feedback, Mark } from '#features/feedback/contract.ts';
import { lineOfMark } from '#features/feedback/web/marks/mark-lines.ts';
import { timedLinesOf } from '#features/melodies/timed-lines.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { sungLinesOf, wordsOf } from '#features/lyrics/parse.ts';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import { addNote } from './add-note.ts';
import { NoteCard } from './note-card.tsx';
import { NoteForm } from './note-form.tsx';
import { sungLineOf, typedLineOf } from './notes-by-line.ts';
import { isOther, noteDraft, type NoteToSend } from './typed-note.ts';
import { notesOf, useNoteVoices } from './use-line-notes.ts';
import { withoutNames } from './without-names.ts';

type MakeNoteFormProps = {
  feedback: Pick<Feedback, 'recording' | 'marks' | 'voices'>;
  melodyId: number;
  mark: Mark;
  onClose: () => void;
  /** @param words the words of the note's line */
  onKept: (words: string) => void;
};

export default function MakeNoteForm({ melodyId, ...props }: MakeNoteFormProps) {
  const melody = useQuery(apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  if (melody.data) return <Form melody={melody.data} {...props} />;
  if (!melody.isError) return <Skeleton className="h-64 w-full" />;
  return <LoadFailure sentence="The melody could not be loaded." of={melody} />;
}

type FormProps = Omit<MakeNoteFormProps, 'melodyId'> & { melody: MelodyDetail };

function Form({ melody, feedback: { recording, marks, voices }, mark, onClose, onKept }: FormProps) {
  const lines = useMemo(() => sungLinesOf(melody.melodyText ?? ''), [melody.melodyText]);
  const voice = voices.find(({ id }) => id === mark.voice) ?? null;
  const line = lineOfMark(mark, marks, timedLinesOf(melody));
  const proposed = {
    line: line && typedLineOf(lines, line.index),
    text: withoutNames(mark.text, recording.student),
    hasVoice: voice !== null,
  };
  const draft = useDraft(noteDraft(`teaching note of mark ${recording.id} ${mark.start}`, proposed));
  const typed = { ...draft.value, hasVoice: draft.value.hasVoice && voice !== null };
  const [wasKept] = useState(isOther(typed, proposed));
  const heard = useNoteVoices(null);
  const keep = useMutation({
    mutationFn: (note: NoteToSend) => {
      // Stores the idempotency key before sending, so that a retry is recognized.
      draft.change(typed);
      const voiceOf = typed.hasVoice && voice ? { recordingId: recording.id, voice: voice.id } : undefined;
      return addNote(melody.id, { ...note, clientId: typed.clientId, voiceOf });
    },
    meta: { refreshes: [notesOf(melody.id)] },
    onSuccess: (note) => {
      draft.forget();
      onKept(wordsAt(note.line));
    },
  });
  const wordsAt = (at: number) => {
    const index = sungLineOf(lines, at);
    return index === null ? '' : wordsOf(lines[index]!);
  };
  const text = typed.text.trim();

  if (lines.length === 0)
    return <p>“{melody.title}” has no words yet. A note belongs to a line, so please add the words first.</p>;
  return (
    <NoteForm
      {...{ lines, typed, wasKept }}
      onChange={draft.change}
      student={recording.student}
      {...(voice && { voiceLabel: `Include the voice note, ${duration(voice.duration)}` })}
      submitLabel="Save note"
      isBusy={keep.isPending}
      error={keep.error}
      onSubmit={keep.mutate}
      onCancel={() => {
        draft.forget();
        onClose();
      }}
    >
      {(text !== '' || typed.hasVoice) && (
        <section aria-label="Preview of the words" className="rounded-lg bg-saffron-ground p-2">
          {typed.line !== null && (
            <p {...langOf(wordsAt(typed.line))} className="px-1 pb-2 font-serif wrap-anywhere">
              {wordsAt(typed.line)}
            </p>
          )}
          <NoteCard note={{ id: 0, text, voice: typed.hasVoice ? voice : null }} voices={heard} />
        </section>
      )}
    </NoteForm>
  );
}
