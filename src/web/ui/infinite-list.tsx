import { type ReactNode, useRef } from 'react';
import { type PagedListResult, getLoadedRows } from '../navigation/paged-list.ts';
import { LoadFailure } from './load-failure.tsx';
import { LoadMoreButton } from './load-more-button.tsx';

type LongListProps<E> = {
  pages: PagedListResult<E>;
  /** For example 'Your recordings could not be loaded.' */
  failure: string;
  /** Shown until the first page is loaded. */
  skeleton: ReactNode;
  /** Whether other data that the entries show is still loading. */
  isAwaited?: boolean;
  empty: ReactNode;
  as?: 'div' | 'ul';
  className: string;
  item: (entry: E) => ReactNode;
};

/** A list that loads more entries whenever the user nears its end. Nothing may be shown below the list. */
export function InfiniteList<E>({
  pages,
  failure,
  skeleton,
  isAwaited = false,
  empty,
  as = 'div',
  className,
  item,
}: LongListProps<E>) {
  const list = useRef<HTMLDivElement>(null);
  const failed = pages.isError && !pages.isFetchNextPageError && (
    <LoadFailure sentence={failure} of={pages} />
  );
  if (!pages.data) return failed || skeleton;
  if (isAwaited) return skeleton;
  const entries = getLoadedRows(pages.data);
  const List = as as 'div';
  return (
    <>
      {entries.length === 0 ? (
        empty
      ) : (
        <List ref={list} className={className}>
          {entries.map(item)}
        </List>
      )}
      {failed}
      <LoadMoreButton {...{ pages, list, failure }} loadsByItself />
    </>
  );
}
