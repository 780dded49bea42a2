import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '#web/api/call.ts';
import { apiQuery } from '#web/api/query-client.ts';
import { displayName } from '#web/api/session.ts';
import { useForm } from '#web/forms/use-form.ts';
import { newId } from '#web/uploads/new-id.ts';
import { Button } from '#web/ui/button.tsx';
import { ChangeFailure } from '#web/ui/error-text.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { spokenDuration } from '#web/ui/duration.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Select } from '#web/ui/select.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { placeOf } from '#features/feedback/marks.ts';
import { lineOfMark, shortened } from '#features/feedback/web/marks/mark-lines.ts';
import { timedLinesOf } from '#features/melodies/timed-lines.ts';
import { passageOf } from '#features/feedback/web/marks/mark-times.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { sungLinesOf, wordsOf } from '#features/lyrics/parse.ts';
import type { TeachingNote } from '#features/teaching-notes/contract.ts';
import { sungLineOf } from '#features/teaching-notes/web/notes-by-line.ts';
import { notesQuery } from '#features/teaching-notes/web/use-line-notes.ts';
import { PASSAGE_SECONDS_MAX, PASSAGE_SECONDS_MIN } from '../limits.ts';
import { AskedBefore } from './asked-before.tsx';
import type { Feedback, Mark } from '#features/feedback/contract.ts';

export default function AskForm({ melodyId, ...props }: AskedMark) {
  const melody = useQuery(apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  const notes = useQuery({ ...notesQuery(melodyId), staleTime: 0 });
  const { recording } = props.feedback;
  const failed = [melody, notes].find(({ isError, data }) => isError && !data);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <AskedBefore recordingId={recording.id} melodyId={melodyId} />
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

type FormProps = Omit<AskedMark, 'melodyId'> & { melody: MelodyDetail; notes: readonly TeachingNote[] };

function Form({ melody, notes, feedback: { recording, marks }, mark }: FormProps) {
  const name = displayName(recording.student);
  const lines = useMemo(() => sungLinesOf(melody.melodyText ?? ''), [melody.melodyText]);
  const passage = sharedPassageOf(mark, recording.duration);
  const free = notes.filter(({ studentPassage }) => !studentPassage);
  const lineOf = (note: TeachingNote) => sungLineOf(lines, note.line);
  const [chosen, setChosen] = useState(() => {
    const line = lineOfMark(mark, marks, timedLinesOf(melody));
    return free.find((note) => line && lineOf(note) === line.index)?.id ?? null;
  });
  const noteId = free.some(({ id }) => id === chosen) ? chosen : null;
  const [wantsName, setWantsName] = useState(false);
  // Idempotency keys, one per question, so that a retry after a lost response asks only once.
  const [clientIds] = useState(() => new Map<string, string>());
  const ask = useMutation({
    mutationFn: (question: { noteId: number; wantsName: boolean }) => {
      const key = JSON.stringify(question);
      const clientId = clientIds.get(key) ?? newId();
      clientIds.set(key, clientId);
      const body = { clientId, recordingId: recording.id, ...passage!, ...question };
      return call('POST /api/admin/agreements', { body });
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
  if (free.length === 0) return <p>Every note on this melody already has a passage.</p>;
  if (!passage) return <p>This comment is at the very end of the recording, so there is nothing to share.</p>;
  return (
    <form {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <p className="measure">
        You’re asking {name} to share {placeOf(passage)} of this recording (
        {spokenDuration(Math.round(passage.end - passage.start))}) with everyone learning this melody, beside
        a note. Nothing is shared until {name} agrees in writing, and {name} can stop sharing at any time.
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
        {free.map((note) => (
          <option key={note.id} value={note.id}>
            {labelOf(note, lineOf(note), lines)}
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
      <ChangeFailure of={ask} sentence="Your request wasn’t sent. Please try again." />
      <p role="status" className="text-sm text-jade-ink empty:hidden">
        {ask.isSuccess && `${name} has been asked.`}
      </p>
      <Button
        type="submit"
        variant="primary"
        busy={ask.isPending}
        isSpent={ask.isSuccess}
        className="justify-self-end max-sm:w-full"
      >
        Ask {name}
      </Button>
    </form>
  );
}

/** Returns the passage that a mark would share, cut to the longest allowed; null if it is too short. */
function sharedPassageOf(mark: AskedMark['mark'], seconds: number) {
  const { start, end } = passageOf(mark);
  const last = Math.min(end, start + PASSAGE_SECONDS_MAX, seconds);
  return last - start >= PASSAGE_SECONDS_MIN ? { start, end: last } : null;
}

/** Returns a label like '3. Sangye chö…: Softer here.' */
function labelOf(note: TeachingNote, index: number | null, lines: ReturnType<typeof sungLinesOf>) {
  const line = index === null ? '' : `${index + 1}. ${shortened(wordsOf(lines[index]!))}: `;
  return `${line}${shortened(note.text) || 'spoken'}`;
}

/** A mark, with what is needed to ask for its passage. */
export type AskedMark = {
  feedback: Pick<Feedback, 'recording' | 'marks'>;
  melodyId: number;
  mark: Mark;
};
