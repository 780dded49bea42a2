import { MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { lazyPart } from '#web/navigation/lazy-page.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { placeOf } from '#features/feedback/marks.ts';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import type { AskedMark } from './ask-form.tsx';

const AskForm = lazyPart(() => import('./ask-form.tsx'));

/** Asks the student to share a mark's passage with a teaching note. */
export function AskToShare({ number, ...asked }: AskedMark & { number: number }) {
  const { title } = asked.feedback.recording;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        icon={<MessageCircleQuestion />}
        aria-label={`Ask to share the passage of comment ${number}, ${placeOf(asked.mark)}`}
        onPointerEnter={() => void AskForm.preload()}
        onClick={() => setIsOpen(true)}
        className="min-h-11 px-3"
      >
        Ask to share
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title="Ask to share this passage"
        description={<span {...langOf(title)}>{title}</span>}
      >
        <LazyBoundary
          part={AskForm}
          fallback={<Skeleton className="h-64 w-full" />}
          failure="The form could not be loaded."
          {...asked}
        />
      </Dialog>
    </>
  );
}
