import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { callApi } from '#web/api/call.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { useForm } from '#web/forms/use-form.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import { Button } from '#web/ui/button.tsx';
import { MutationErrorText } from '#web/ui/error-text.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { formatDurationInWords } from '#web/ui/format-duration.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Select } from '#web/ui/select.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { findLineOfMark, truncateWords } from '#features/feedback/web/marks/mark-lines.ts';
import { getTimedLines } from '#features/melodies/timed-lines.ts';
import { getMarkPassage } from '#features/feedback/web/marks/mark-times.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { parseSungLines, getLineWords } from '#features/lyrics/parse.ts';
import type { TeachingNote } from '#features/teaching-notes/contract.ts';
import { findSungLineIndex } from '#features/teaching-notes/web/notes-by-line.ts';
import { createTeachingNotesQuery } from '#features/teaching-notes/web/use-line-notes.ts';
import { MAX_SHARED_PASSAGE_SECONDS, MIN_SHARED_PASSAGE_SECONDS } from '../limits.ts';
import { EarlierAgreementRequests } from './earlier-agreement-requests.tsx';
import type { Feedback, Mark } from '#features/feedback/contract.ts';

export default function AskAgreementForm({ melodyId, ...props }: MarkToShare) {
  const melody = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  const notes = useQuery({ ...createTeachingNotesQuery(melodyId), staleTime: 0 });
  const { recording } = props.feedback;
  const failed = [melody, notes].find(({ isError, data }) => isError && !data);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <EarlierAgreementRequests recordingId={recording.id} melodyId={melodyId} />
      {failed ? (
        <LoadFailure sentence="The notes could not be loaded." of={[melody, notes]} />
      ) : melody.data && notes.data ? (
        <Form melody={melody.data} notes={notes.data} {...props} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </div>
  );
}

type FormProps = Omit<MarkToShare, 'melodyId'> & { melody: MelodyDetail; notes: readonly TeachingNote[] };

function Form({ melody, notes, feedback: { recording, marks }, mark }: FormProps) {
  const name = formatDisplayName(recording.student);
  const lines = useMemo(() => parseSungLines(melody.melodyText ?? ''), [melody.melodyText]);
  const passage = getSharedPassage(mark, recording.duration);
  const notesWithoutPassage = notes.filter(({ studentPassage }) => !studentPassage);
  const lineOf = (note: TeachingNote) => findSungLineIndex(lines, note.line);
  const [chosen, setChosen] = useState(() => {
    const line = findLineOfMark(mark, marks, getTimedLines(melody));
    return notesWithoutPassage.find((note) => line && lineOf(note) === line.index)?.id ?? null;
  });
  const noteId = notesWithoutPassage.some(({ id }) => id === chosen) ? chosen : null;
  const [wantsName, setWantsName] = useState(false);
  // Idempotency keys by question, so that a retry after a lost response does not ask twice.
  const [clientIds] = useState(() => new Map<string, string>());
  const ask = useMutation({
    mutationFn: (question: { noteId: number; wantsName: boolean }) => {
      const key = JSON.stringify(question);
      const clientId = clientIds.get(key) ?? createUuid();
      clientIds.set(key, clientId);
      const body = { clientId, recordingId: recording.id, ...passage!, ...question };
      return callApi('POST /api/admin/agreements', { body });
    },
    meta: { refreshes: ['/api/admin/agreements'] },
  });
  const form = useForm({
    values: { noteId },
    check: (typed) => (typed.noteId === null ? { noteId: 'Please choose a note.' } : {}),
    onValid: (typed) => {
      if (typed.noteId !== null && !ask.isPending) ask.mutate({ noteId: typed.noteId, wantsName });
    },
  });
  if (notes.length === 0)
    return <p>Passages are shared beside a teaching note. Make a note from this comment first, then ask.</p>;
  if (notesWithoutPassage.length === 0) return <p>Every note on this melody already has a passage.</p>;
  if (!passage) return <p>This comment is at the very end of the recording, so there is nothing to share.</p>;
  return (
    <form {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <p className="measure">
        You’re asking {name} to share {formatMarkTime(passage)} of this recording (
        {formatDurationInWords(Math.round(passage.end - passage.start))}) with everyone learning this melody,
        beside a note. Nothing is shared until {name} agrees in writing, and {name} can stop sharing at any
        time.
      </p>
      <Select
        label="Share it with this note"
        name="noteId"
        value={noteId ?? ''}
        error={form.problems.noteId}
        onChange={({ target }) => {
          setChosen(Number(target.value));
          ask.reset();
        }}
      >
        <option value="" disabled>
          Choose a note
        </option>
        {notesWithoutPassage.map((note) => (
          <option key={note.id} value={note.id}>
            {formatNoteLabel(note, lineOf(note), lines)}
          </option>
        ))}
      </Select>
      <Checkbox
        label={`Also ask to show their name, ${name}`}
        hint="Otherwise the note says “a student”."
        checked={wantsName}
        onChange={({ target }) => {
          setWantsName(target.checked);
          ask.reset();
        }}
      />
      <MutationErrorText mutation={ask} sentence="Your request wasn’t sent. Please try again." />
      <p role="status" className="text-sm text-jade-ink empty:hidden">
        {ask.isSuccess && `${name} has been asked.`}
      </p>
      <Button
        type="submit"
        variant="primary"
        busy={ask.isPending}
        isInactive={ask.isSuccess}
        className="justify-self-end max-sm:w-full"
      >
        Ask {name}
      </Button>
    </form>
  );
}

/** Returns the passage that a mark would share, cut to the maximum length; null if it is too short. */
function getSharedPassage(mark: MarkToShare['mark'], seconds: number) {
  const { start, end } = getMarkPassage(mark);
  const last = Math.min(end, start + MAX_SHARED_PASSAGE_SECONDS, seconds);
  return last - start >= MIN_SHARED_PASSAGE_SECONDS ? { start, end: last } : null;
}

/** Returns a label like '3. Sangye chö…: Softer here.' */
function formatNoteLabel(note: TeachingNote, index: number | null, lines: ReturnType<typeof parseSungLines>) {
  const line = index === null ? '' : `${index + 1}. ${truncateWords(getLineWords(lines[index]!))}: `;
  return `${line}${truncateWords(note.text) || 'spoken'}`;
}

/** A mark, with the data needed to ask the student to share its passage. */
export type MarkToShare = {
  feedback: Pick<Feedback, 'recording' | 'marks'>;
  melodyId: number;
  mark: Mark;
};
