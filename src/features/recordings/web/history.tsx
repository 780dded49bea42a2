import type { ReactNode } from 'react';
import { usePages } from '../../../platform/web/pages.ts';
import { LongList } from '../../../platform/web/ui/long-list.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { HISTORY_PAGE } from '../limits.ts';

type HistoryProps<E extends { id: number }> = {
  address: string;
  /** The newest, or those before an id. */
  ask: (before: number | undefined, signal: AbortSignal) => Promise<E[]>;
  /** 'Your recordings could not be loaded.' */
  failure: string;
  empty: ReactNode;
  item: (entry: E) => ReactNode;
};

/** What a student has sent or got, newest first. */
export function History<E extends { id: number }>({ address, ask, ...list }: HistoryProps<E>) {
  const pages = usePages({ key: [address], ask, size: HISTORY_PAGE });
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
