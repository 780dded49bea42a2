import { BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { lazyPart } from '#web/navigation/lazy-page.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Feedback, Mark } from '#features/feedback/contract.ts';
import { placeOf } from '#features/feedback/marks.ts';
import { langOf } from '#features/lyrics/web/tibetan.ts';

const MakeNoteForm = lazyPart(() => import('./make-note-form.tsx'));

type MakeNoteProps = {
  feedback: Pick<Feedback, 'recording' | 'marks' | 'voices'>;
  melodyId: number;
  mark: Mark;
  number: number;
};

/** Turns a mark in one student's feedback into a note for all who sing the melody. */
export function MakeNote({ feedback, melodyId, mark, number }: MakeNoteProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [keptAt, setKeptAt] = useState<string | null>(null);
  return (
    <>
      <Button
        icon={<BookmarkPlus />}
        aria-label={`Make a note from comment ${number}, ${placeOf(mark)}`}
        onPointerEnter={() => void MakeNoteForm.preload()}
        onClick={() => setIsOpen(true)}
        variant="quiet"
        className="min-h-11 px-3"
      >
        Make a note
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Make a note"
        description="For everyone who sings this melody."
      >
        <LazyBoundary
          part={MakeNoteForm}
          fallback={<Skeleton className="h-64 w-full" />}
          failure="The form could not be loaded."
          {...{ feedback, melodyId, mark }}
          onClose={() => setIsOpen(false)}
          onKept={(words) => {
            toast({ title: 'Note saved' });
            setKeptAt(words);
            setIsOpen(false);
          }}
        />
      </Dialog>
      <p role="status" className="w-full px-2 text-sm text-jade-ink not-empty:pb-2">
        {keptAt !== null && (
          <>
            Note added to “<span {...langOf(keptAt)}>{keptAt}</span>”.
          </>
        )}
      </p>
    </>
  );
}
