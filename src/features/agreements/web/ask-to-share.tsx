import { MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../platform/web/lazy-page.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Dialog } from '../../../platform/web/ui/dialog.tsx';
import { placeOf } from '../../feedback/marks.ts';
import { langOf } from '../../melodies/web/tibetan.ts';
import { WhenLoaded } from '../../teaching-notes/web/when-loaded.tsx';
import type { AskedMark } from './asked-mark.ts';

const AskForm = lazyPart(() => import('./ask-form.tsx'));

/** Asks the student whether the passage of a mark may be heard with a teaching note. */
export function AskToShare({ number, ...asked }: AskedMark & { number: number }) {
  const { title } = asked.feedback.recording;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        icon={<MessageCircleQuestion aria-hidden="true" />}
        aria-label={`Ask to share the passage of mark ${number}, ${placeOf(asked.mark)}`}
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
        <WhenLoaded part={AskForm} failure="The form could not be loaded." given={asked} />
      </Dialog>
    </>
  );
}
