import type { ReactNode } from 'react';
import { Button } from '../../../platform/web/ui/button.tsx';
import type { FileChoice } from './typed-melody.ts';

type PresentFileProps = {
  what: 'picture' | 'audio';
  choice: FileChoice;
  onChange: (choice: FileChoice) => void;
  /** The file itself, to be seen or heard. */
  children: ReactNode;
};

/** The file that a melody has already, until another one is chosen or this one is removed: both happen on saving. */
export function PresentFile({ what, choice, onChange, children }: PresentFileProps) {
  if (choice === null)
    return (
      <>
        {children}
        <Button className="justify-self-start" onClick={() => onChange('removed')}>
          Remove the present {what}
        </Button>
      </>
    );
  if (choice !== 'removed')
    return <p className="text-sm text-soft">It takes the place of the present {what} when you save.</p>;
  return (
    <div className="grid gap-3">
      <p role="status" className="text-sm font-semibold">
        The present {what} is removed when you save.
      </p>
      <Button className="justify-self-start" onClick={() => onChange(null)}>
        Keep the present {what}
      </Button>
    </div>
  );
}
