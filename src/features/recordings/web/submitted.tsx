import { Mic } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSettings } from '../../../platform/web/page-data.ts';
import { Button, ButtonLink } from '../../../platform/web/ui/button.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { Lotus } from '../../../platform/web/ui/lotus.tsx';

export const SUBMITTED = 'Your recording has been submitted to the teacher!';

/** Stays when the toast has gone. */
export function Submitted({ onAnother }: { onAnother: () => void }) {
  const { teacherTitle } = useSettings();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Card className="mx-auto flex max-w-2xl flex-col items-center py-12 text-center">
      <Lotus className="mb-5 w-24 text-saffron" strokeWidth={1.5} />
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        {SUBMITTED}
      </h2>
      <p className="mt-2 max-w-md text-soft">
        {teacherTitle} will listen to it. The answer will be under View Feedback.
      </p>
      <div className="mt-7 flex w-full flex-col gap-3 sm:w-auto sm:flex-row">
        <ButtonLink href="/past-recordings">Past Recordings</ButtonLink>
        <Button variant="primary" icon={<Mic aria-hidden="true" />} onClick={onAnother}>
          Record Another
        </Button>
      </div>
    </Card>
  );
}
