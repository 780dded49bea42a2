import { useQuery, useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { loadDraft } from '#web/drafts/draft-storage.ts';
import { queryClient } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import type { Melody } from '#features/melodies/contract.ts';
import { type SungLine, parseSungLines, getLineWords } from '#features/lyrics/parse.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { TeachingNote } from '../contract.ts';
import { NoteRow } from './note-row.tsx';
import { groupNotesByLine } from './notes-by-line.ts';
import { createTeachingNotesQuery, useNoteVoicePlayer, getTeachingNotesUrl } from './use-line-notes.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { addTeachingNote } from './add-teaching-note.ts';
import { NoteForm } from './note-form.tsx';
import { isNoteEdited, createNoteDraftOptions, type NoteToSend } from './note-draft.ts';

/** Lists a melody's notes by line. The teacher can add, edit, reorder and delete notes here. */
export default function NoteList({ melody }: { melody: Melody }) {
  const notes = useQuery(createTeachingNotesQuery(melody.id));
  const lines = useMemo(() => parseSungLines(melody.melodyText ?? ''), [melody.melodyText]);
  if (notes.data) return <Lines {...{ melody, lines }} notes={notes.data} isFetching={notes.isFetching} />;
  if (!notes.isError) return <SkeletonList label="Loading the notes..." count={2} itemClassName="h-24" />;
  return <LoadFailure sentence="The notes could not be loaded." of={notes} />;
}

type LinesProps = {
  melody: Melody;
  lines: readonly SungLine[];
  notes: readonly TeachingNote[];
  isFetching: boolean;
};

function Lines({ melody, lines, notes, isFetching }: LinesProps) {
  const userId = useUser().id;
  const [isAdding, setIsAdding] = useState(() => loadDraft(userId, getNewDraftName(melody.id)) !== null);
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const voices = useNoteVoicePlayer(null);
  const byLine = [...groupNotesByLine(lines, notes)].sort(([one], [other]) => one - other);
  const restoreFocus = useRestoreFocus(list, add, melody.id, isFetching);
  return (
    <div ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ScreenReaderAnnouncement text={announcement} />
      {isAdding ? (
        <NewNoteForm
          {...{ melody, lines }}
          onDone={(note) => {
            setIsAdding(false);
            restoreFocus(note ? `[data-row="${note.id}"]` : null);
          }}
        />
      ) : (
        <Button ref={add} icon={<Plus />} className="justify-self-start" onClick={() => setIsAdding(true)}>
          Add a note
        </Button>
      )}
      {notes.length === 0 && !isAdding && (
        <p className="text-soft">
          No notes yet. Add one here, or make one from a comment in Past Feedback. If the comment is spoken,
          the note includes your voice.
        </p>
      )}
      {byLine.map(([index, atLine]) => {
        const words = getLineWords(lines[index]!);
        return (
          <section key={index} aria-label={`Line ${index + 1}`}>
            <h3 className="mb-2 flex gap-2 font-serif text-lg leading-snug">
              <span className="shrink-0 font-sans text-base leading-snug font-semibold text-saffron-ink tabular-nums">
                {index + 1}
              </span>
              <span {...getLangProps(words)} className="min-w-0 wrap-anywhere">
                {words}
              </span>
            </h3>
            <ol className="grid gap-2">
              {atLine.map((note, place) => (
                <NoteRow
                  key={note.id}
                  {...{ melody, lines, note, place, voices }}
                  ids={atLine.map(({ id }) => id)}
                  onMoved={setAnnouncement}
                  onEdited={() => restoreFocus(`[data-row="${note.id}"] [data-edit]`)}
                  onGone={() => restoreFocus(null)}
                />
              ))}
            </ol>
          </section>
        );
      })}
    </div>
  );
}

/**
 * Returns a function that restores focus after the focused row or form has disappeared. It focuses the element
 * that matches `selector`; null means the add button. The element may appear only after the next refetch. Until
 * then, the dialog has focus.
 */
function useRestoreFocus(
  list: RefObject<HTMLElement | null>,
  add: RefObject<HTMLElement | null>,
  melodyId: number,
  isFetching: boolean,
) {
  const { queryKey } = createTeachingNotesQuery(melodyId);
  const tryToFocus = useRef(() => {});
  const waiting = useRef<AbortController>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => tryToFocus.current());
    return () => cancelAnimationFrame(frame);
  }, [isFetching]);
  useEffect(() => () => waiting.current?.abort(), []);
  return (selector: string | null) => {
    waiting.current?.abort();
    const { signal } = (waiting.current = new AbortController());
    tryToFocus.current = () => {
      const isLost = document.activeElement?.matches('[role=dialog]');
      const found = selector ? list.current?.querySelector<HTMLElement>(selector) : add.current;
      // Tries again after later events too, because a refetch may move the row to another line, and focus
      // would be lost again.
      if (!signal.aborted && isLost && found && queryClient.isFetching({ queryKey }) === 0) found.focus();
    };
    // Tries again after each `focusin`, because when focus is lost, the dialog takes focus several times in a
    // row.
    document.addEventListener('focusin', () => requestAnimationFrame(() => tryToFocus.current()), { signal });
    // Stops waiting once the teacher does something else.
    for (const type of ['keydown', 'pointerdown'])
      document.addEventListener(type, () => waiting.current?.abort(), { signal, capture: true });
    requestAnimationFrame(() => tryToFocus.current());
  };
}

const getNewDraftName = (melodyId: number) => `new teaching note ${melodyId}`;

const EMPTY = { line: null, text: '', hasVoice: false };

type NewNoteFormProps = {
  melody: Melody;
  lines: readonly SungLine[];
  /** @param note the saved note; null if the user cancelled */
  onDone: (note: TeachingNote | null) => void;
};

/** Form to write a note. Text only, because voice notes are created from marks. */
function NewNoteForm({ melody: { id }, lines, onDone }: NewNoteFormProps) {
  const draft = useFormDraft(createNoteDraftOptions(getNewDraftName(id), EMPTY));
  const typed = draft.value;
  const [wasRestored] = useState(isNoteEdited(typed, EMPTY));
  const add = useMutation({
    mutationFn: (note: NoteToSend) => addTeachingNote(id, { ...note, clientId: typed.clientId }),
    meta: { refreshes: [getTeachingNotesUrl(id)] },
    onSuccess: (note) => {
      draft.forget();
      onDone(note);
    },
  });
  return (
    <div className="rounded-lg border border-line bg-sunk p-3 sm:p-4">
      <NoteForm
        {...{ lines, typed, wasRestored }}
        onChange={draft.change}
        submitLabel="Save note"
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
