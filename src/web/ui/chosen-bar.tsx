import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { ManyDone } from '../api/change-many.ts';
import { Notice } from './notice.tsx';

type ChosenBarProps = {
  count: number;
  /** 'Choose all' */
  all: string;
  /** 'Choose none' */
  none: string;
  /** Whether there is nothing to choose. */
  isSpent: boolean;
  onAll: () => void;
  onNone: () => void;
  /** Actions on everything that is chosen. */
  children: ReactNode;
};

/** A bar above a list with checkboxes: how many entries are ticked, and the bulk actions on them. */
export const ChosenBar = ({ count, all, none, isSpent, onAll, onNone, children }: ChosenBarProps) => (
  <div className="flex min-h-12 flex-wrap items-center gap-x-1 text-sm">
    <Button
      variant="quiet"
      isSpent={isSpent}
      onClick={count === 0 ? onAll : onNone}
      className="-ms-3 text-lapis!"
    >
      {count > 0 ? none : all}
    </Button>
    {count > 0 && (
      <div
        role="group"
        aria-label={`Actions for the ${count} selected`}
        className="flex flex-wrap items-center gap-x-1"
      >
        <p role="status" className="px-2 font-semibold">
          {count.toLocaleString('en')} selected
        </p>
        {children}
      </div>
    )}
  </div>
);

/** The result of a bulk change, with everything that could not be changed. */
export const ManyDoneNotice = ({ done: { title, failures } }: { done: ManyDone<string | number> }) => (
  <Notice tone={failures.length > 0 ? 'danger' : 'success'} title={title} className="mt-2 w-full">
    {failures.length > 0 && (
      <ul>
        {failures.map(({ id, name, message }) => (
          <li key={id} className="break-words">
            <bdi>{name}</bdi>: {message}
          </li>
        ))}
      </ul>
    )}
  </Notice>
);
