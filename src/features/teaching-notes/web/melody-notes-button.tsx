import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Melody } from '#features/melodies/contract.ts';

const NoteList = createLazyComponent(() => import('./note-list.tsx'));

/** Button that opens the teacher's list of a melody's notes. */
export function MelodyNotesButton({ melody }: { melody: Melody }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        icon={<Bookmark />}
        aria-haspopup="dialog"
        onPointerEnter={() => void NoteList.preload()}
        onClick={() => setIsOpen(true)}
      >
        Teaching notes
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        size="wide"
        title="Teaching notes"
        description="Everyone learning this melody sees them beside the lines."
      >
        <LazyBoundary
          part={NoteList}
          fallback={<Skeleton className="h-64 w-full" />}
          failure="The notes could not be loaded."
          melody={melody}
        />
      </Dialog>
    </>
  );
}
