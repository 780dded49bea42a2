import { type ReactNode, type RefObject, useRef } from 'react';
import { getLoadedRows, usePagedList } from '#web/navigation/paged-list.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import type { ThreadEntry } from '../contract.ts';

type AttemptThreadProps = {
  recordingId: number;
  /**
   * Whether the earliest attempt comes first. If so, the button that loads earlier attempts is above the list.
   */
  isEarliestFirst?: boolean;
  /** @param entries the attempts loaded so far, oldest first */
  children: (entries: readonly ThreadEntry[], list: RefObject<HTMLOListElement | null>) => ReactNode;
};

/** Fetches the attempts at a recording's melody when it is mounted, and passes them to `children`. */
export function AttemptThread({ recordingId, isEarliestFirst = false, children }: AttemptThreadProps) {
  const pages = usePagedList('GET /api/recordings/{id}/thread', { params: { id: recordingId } });
  const list = useRef<HTMLOListElement>(null);
  if (pages.data) {
    const more = (
      <LoadMoreButton
        {...{ pages, list }}
        failure="Earlier recordings could not be loaded."
        growsUpwards={isEarliestFirst}
        className={isEarliestFirst ? 'mb-5' : 'mt-5'}
      />
    );
    const entries = getLoadedRows({ ...pages.data, pages: [...pages.data.pages].reverse() });
    return (
      <div>
        {isEarliestFirst && more}
        {children(entries, list)}
        {!isEarliestFirst && more}
      </div>
    );
  }
  if (pages.isError) return <LoadFailure sentence="The recordings could not be loaded." of={pages} />;
  return <SkeletonList label="Loading the recordings..." itemClassName="h-24" />;
}
