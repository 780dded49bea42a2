import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { loadDraft } from '../../../platform/web/drafts/draft-storage.ts';
import { useUser } from '../../../platform/web/session.ts';
import { Announce } from '../../../platform/web/ui/announce.tsx';
import { Button } from '../../../platform/web/ui/button.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import type { Melody } from '../../melodies/contract.ts';
import { type SungLine, sungLinesOf, wordsOf } from '../../melodies/sung-text/parse.ts';
import { langOf } from '../../melodies/web/tibetan.ts';
import type { TeachingNote } from '../contract.ts';
import { AddNote, draftOfNew } from './add-note-form.tsx';
import { NoteRow } from './note-row.tsx';
import { notesByLine } from './notes-by-line.ts';
import { notesQuery, useNoteVoices } from './use-line-notes.ts';

/** The notes of a melody by line, for the teacher: added, changed, ordered and withdrawn. */
export default function NoteList({ melody }: { melody: Melody }) {
  const notes = useQuery(notesQuery(melody.id));
  const lines = useMemo(() => sungLinesOf(melody.melodyText ?? ''), [melody.melodyText]);
  if (notes.data) return <Lines {...{ melody, lines }} notes={notes.data} />;
  if (!notes.isError) return <SkeletonList label="Loading the notes..." count={2} itemClassName="h-24" />;
  return (
    <LoadFailure
      sentence="The notes could not be loaded."
      error={notes.error}
      isTrying={notes.isFetching}
      onTryAgain={() => void notes.refetch()}
    />
  );
}

type LinesProps = { melody: Melody; lines: readonly SungLine[]; notes: readonly TeachingNote[] };

function Lines({ melody, lines, notes }: LinesProps) {
  const userId = useUser().id;
  const [isAdding, setIsAdding] = useState(() => loadDraft(userId, draftOfNew(melody.id)) !== null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const voices = useNoteVoices(null);
  const byLine = [...notesByLine(lines, notes)].sort(([one], [other]) => one - other);
  const focusLater = useFocusLater(list, add, notes);
  return (
    <div ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Announce text={said} />
      {isAdding ? (
        <AddNote
          {...{ melody, lines }}
          onDone={(note) => {
            setIsAdding(false);
            focusLater(note ? `[data-row="${note.id}"]` : null);
          }}
        />
      ) : (
        <Button
          ref={add}
          icon={<Plus aria-hidden="true" />}
          className="justify-self-start"
          onClick={() => setIsAdding(true)}
        >
          Add a note
        </Button>
      )}
      {notes.length === 0 && !isAdding && (
        <p className="text-soft">
          There are none yet. Add one here, or make one of a mark in Past Feedback, with its voice.
        </p>
      )}
      {byLine.map(([index, atLine]) => {
        const words = wordsOf(lines[index]!);
        return (
          <section key={index} aria-label={`Line ${index + 1}`}>
            <h3 className="mb-2 flex gap-2 font-serif text-lg leading-snug">
              <span className="shrink-0 font-sans text-base leading-snug font-semibold text-saffron-ink tabular-nums">
                {index + 1}
              </span>
              <span {...langOf(words)} className="min-w-0 wrap-anywhere">
                {words}
              </span>
            </h3>
            <ol className="grid gap-2">
              {atLine.map((note, place) => (
                <NoteRow
                  key={note.id}
                  {...{ melody, lines, note, place, voices }}
                  ids={atLine.map(({ id }) => id)}
                  onMoved={(sentence) => setSaid(sentence)}
                  onGone={() => focusLater(null)}
                />
              ))}
            </ol>
          </section>
        );
      })}
    </div>
  );
}

/** Focus for what comes with the next answer; where it isn't there, the button that adds. */
function useFocusLater(
  list: React.RefObject<HTMLElement | null>,
  add: React.RefObject<HTMLElement | null>,
  notes: readonly TeachingNote[],
) {
  const awaited = useRef<{ selector: string | null } | null>(null);
  const settle = () => {
    if (!awaited.current) return;
    const { selector } = awaited.current;
    const found = selector ? list.current?.querySelector<HTMLElement>(selector) : add.current;
    if (!found) return;
    awaited.current = null;
    found.focus();
  };
  useEffect(() => {
    // The dialog takes the focus of what is gone to itself, a moment later.
    const frame = requestAnimationFrame(settle);
    return () => cancelAnimationFrame(frame);
  }, [notes]); // oxlint-disable-line react/exhaustive-deps
  return (selector: string | null) => {
    awaited.current = { selector };
    requestAnimationFrame(settle);
  };
}
