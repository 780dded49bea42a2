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
  /** There is nothing to choose. */
  isSpent: boolean;
  onAll: () => void;
  onNone: () => void;
  /** What can be done with all who are chosen. */
  children: ReactNode;
};

/** Above a list of which several can be ticked: how many are, and what can be done with them at once. */
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
      <div role="group" aria-label={`The ${count} chosen`} className="flex flex-wrap items-center gap-x-1">
        <p role="status" className="px-2 font-semibold">
          {count.toLocaleString('en')} chosen
        </p>
        {children}
      </div>
    )}
  </div>
);

/** What became of a change to several things at once, with each that could not be changed. */
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
