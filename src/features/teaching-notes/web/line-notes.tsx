import { clsx } from 'clsx';
import { Bookmark } from 'lucide-react';
import { type FocusEvent, useId, useState } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import type { TeachingNote } from '../contract.ts';
import { NoteCard } from './note-card.tsx';
import type { NoteVoicePlayer } from './note-voice-player.ts';

export type LineNotesProps = {
  notes: readonly TeachingNote[];
  /** The line's words, used in the label of its bookmark button. */
  words: string;
  isCurrent: boolean;
  voices: NoteVoicePlayer;
  isSilent?: boolean;
};

/**
 * Notes on a line: shown below the line while it is sung, otherwise opened by a bookmark button. At first, only
 * the first note is expanded.
 */
export default function LineNotes({ notes, words, isCurrent, voices, isSilent = false }: LineNotesProps) {
  const { teacherTitle } = usePageSettings();
  const id = useId();
  const [isPressed, setIsPressed] = useState(false);
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map());
  // The part with keyboard focus: the bookmark button ('sign') or the notes. That part stays mounted when the
  // next line is sung, so that focus is not lost.
  const [focused, setFocused] = useState<'sign' | 'notes' | null>(null);
  const getFocusHandlers = (part: 'sign' | 'notes') => ({
    onFocus: ({ target }: FocusEvent) => setFocused(target.matches(':focus-visible') ? part : null),
    onBlur: () => setFocused(null),
  });
  const isShown = isCurrent || isPressed || focused === 'notes';
  return (
    <>
      {(!isCurrent || focused === 'sign') && (
        <button
          type="button"
          aria-expanded={isShown}
          aria-controls={isShown ? id : undefined}
          aria-label={`${teacherTitle}’s ${notes.length === 1 ? 'note' : `${notes.length} notes`} on “${words}”`}
          onClick={() => setIsPressed(!isPressed)}
          {...getFocusHandlers('sign')}
          className="absolute end-0 top-1 grid size-11 place-items-center rounded-md text-saffron-ink hover:bg-sunk"
        >
          <Bookmark className="size-5" />
        </button>
      )}
      {isShown && (
        <div
          id={id}
          {...getFocusHandlers('notes')}
          className={clsx(
            'relative mt-2 grid grid-cols-[minmax(0,1fr)] gap-1.5',
            // Extends into the space reserved for the bookmark button, without widening the line.
            !isCurrent &&
              '-me-9 in-[.practice-words]:-ms-9 desk:in-[.practice-words]:w-0 desk:in-[.practice-words]:min-w-[calc(100%+4.5rem)]',
          )}
        >
          {notes.map((note, place) => {
            const isOpen = folds.get(note.id) ?? place === 0;
            return (
              <NoteCard
                key={note.id}
                {...{ note, voices, isOpen, isSilent }}
                onFold={() => setFolds(new Map(folds).set(note.id, !isOpen))}
              />
            );
          })}
        </div>
      )}
    </>
  );
}
