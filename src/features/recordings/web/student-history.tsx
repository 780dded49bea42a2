import type { ReactNode } from 'react';
import { usePages } from '../../../platform/web/pages.ts';
import { useLeadTo } from '../../../platform/web/ui/lead-to.ts';
import { LongList } from '../../../platform/web/ui/long-list.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { HISTORY_PAGE } from '../limits.ts';

type StudentHistoryProps<E extends { id: number }> = {
  address: string;
  /** Fetches the newest entries, or those before an id. */
  ask: (before: number | undefined, signal: AbortSignal) => Promise<E[]>;
  /** 'Your recordings could not be loaded.' */
  failure: string;
  empty: ReactNode;
  item: (entry: E) => ReactNode;
  /** The entry that the student came for, and the heading of its card. */
  ledTo?: { is: (entry: E) => boolean; headingId: (entry: E) => string } | undefined;
};

/** A student's recordings or feedback, newest first. */
export function StudentHistory<E extends { id: number }>({
  address,
  ask,
  ledTo,
  ...list
}: StudentHistoryProps<E>) {
  const pages = usePages({ key: [address], ask, size: HISTORY_PAGE });
  useLeadTo(pages, ledTo);
  return (
    <div className="grid max-w-3xl gap-5">
      <LongList
        {...list}
        pages={pages}
        skeleton={<SkeletonList className="gap-5" itemClassName="h-56" />}
        className="grid grid-cols-[minmax(0,1fr)] gap-5"
      />
    </div>
  );
}
