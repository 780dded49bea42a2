import type { ReactNode } from 'react';
import type { RowOf } from '#web/api/call.ts';
import { usePagedList } from '#web/navigation/paged-list.ts';
import { useScrollToEntry } from '#web/ui/use-scroll-to-entry.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { OfflineNotice } from '#web/offline/offline-notice.tsx';
import { useTimedMelodyIds } from './line-by-line/use-timed-melody-ids.ts';
import { SkeletonList } from '#web/ui/skeleton.tsx';

type HistoryRoute = 'GET /api/student/recordings' | 'GET /api/feedback';

type StudentHistoryProps<R extends HistoryRoute> = {
  route: R;
  /** Error message, for example 'We couldn’t load your recordings.' */
  failure: string;
  empty: ReactNode;
  item: (entry: RowOf<R>) => ReactNode;
  /** The entry to scroll to, and the id of its card's heading. */
  ledTo?: { is: (entry: RowOf<R>) => boolean; headingId: (entry: RowOf<R>) => string } | undefined;
};

/** A student's recordings or feedback, newest first. */
export function StudentHistory<R extends HistoryRoute>({ route, ledTo, ...list }: StudentHistoryProps<R>) {
  const pages = usePagedList(route);
  // The list waits until it is known which melodies have timed lines. Otherwise, the cards of their
  // recordings would grow later.
  const { isPending, errorUpdateCount } = useTimedMelodyIds();
  // After a failure, shows the list. Its cards retry the request when they mount, and waiting for that retry
  // would unmount them again.
  const isAwaited = isPending && errorUpdateCount === 0;
  useScrollToEntry(pages, isAwaited ? undefined : ledTo);
  return (
    <div className="grid max-w-3xl gap-5">
      <OfflineNotice>
        You’re seeing what is saved on this device. You need internet for the rest, and to play older
        recordings.
      </OfflineNotice>
      <InfiniteList
        {...list}
        pages={pages}
        isAwaited={isAwaited}
        skeleton={<SkeletonList className="gap-5" itemClassName="h-56" />}
        className="grid grid-cols-[minmax(0,1fr)] gap-5"
      />
    </div>
  );
}
