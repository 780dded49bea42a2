import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { BulkResult } from '../api/bulk-change.ts';
import { Notice } from './notice.tsx';

type SelectionBarProps = {
  count: number;
  /** Label such as 'Select all'. */
  all: string;
  /** Label such as 'Clear selection'. */
  none: string;
  /** Whether there is nothing to select. */
  isInactive: boolean;
  onAll: () => void;
  onNone: () => void;
  /** Actions on the selected entries. */
  children: ReactNode;
};

/** A bar above a list with checkboxes: how many entries are selected, and the bulk actions on them. */
export const SelectionBar = ({
  count,
  all,
  none,
  isInactive,
  onAll,
  onNone,
  children,
}: SelectionBarProps) => (
  <div className="flex min-h-12 flex-wrap items-center gap-x-1 text-sm">
    <Button
      variant="quiet"
      isInactive={isInactive}
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

/** The result of a bulk change, with each item that could not be changed and the reason. */
export const BulkResultNotice = ({ done: { title, failures } }: { done: BulkResult<string | number> }) => (
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
