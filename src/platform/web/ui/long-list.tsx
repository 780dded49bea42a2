import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { LoadFailure } from './load-failure.tsx';

type PagesOptions<E> = {
  /** The address that is asked, and what else tells this list from others. */
  key: readonly [address: string, ...more: string[]];
  /** The newest, or those before an id. */
  ask: (before: number | undefined, signal: AbortSignal) => Promise<E[]>;
  /** The server answers this many at a time; fewer are the last ones. */
  size: number;
  /** Shows the answer to the former key until the new one is there. */
  keepsFormer?: boolean;
};

/**
 * What the server answers a page at a time, newest first. Asked anew, each page begins where the one before it ends
 * then, so that nothing falls between two of them.
 */
export const usePages = <E extends { id: number }>({
  key,
  ask,
  size,
  keepsFormer = false,
}: PagesOptions<E>) =>
  useInfiniteQuery({
    queryKey: [key[0], 'page by page', ...key.slice(1)],
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    ...(keepsFormer && { placeholderData: keepPreviousData<InfiniteData<E[], number | undefined>> }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < size ? undefined : last.at(-1)?.id),
  });

type LongListProps<E> = {
  pages: ReturnType<typeof usePages<E & { id: number }>>;
  /** 'Your recordings could not be loaded.' */
  failure: string;
  /** Until the first page is there. */
  skeleton: ReactNode;
  empty: ReactNode;
  as?: 'div' | 'ul';
  className: string;
  item: (entry: E) => ReactNode;
};

/** A list that can be followed back to its end; who asks for more goes on with the first of what comes. */
export function LongList<E>({
  pages,
  skeleton,
  empty,
  as = 'div',
  className,
  item,
  ...says
}: LongListProps<E>) {
  const entries = pages.data?.pages.flat() ?? [];
  const { list, button, willComeAfter } = useFocusOnWhatComes(entries.length);
  const failure = pages.isError && (
    <LoadFailure
      sentence={says.failure}
      error={pages.error}
      isTrying={pages.isFetching}
      onTryAgain={() => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch())}
    />
  );
  if (!pages.data) return failure || skeleton;
  const List = as as 'div';
  const onMore = () => {
    willComeAfter(entries.length);
    void pages.fetchNextPage();
  };
  return (
    <>
      {entries.length === 0 ? (
        empty
      ) : (
        <List ref={list} className={className}>
          {entries.map(item)}
        </List>
      )}
      {failure}
      {pages.hasNextPage && !failure && (
        <Button ref={button} busy={pages.isFetchingNextPage} onClick={onMore}>
          Load more
        </Button>
      )}
    </>
  );
}

function useFocusOnWhatComes(count: number) {
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const asked = useRef<number | null>(null);
  useEffect(() => {
    const next = asked.current !== null && count > asked.current && list.current?.children[asked.current];
    if (!(next instanceof HTMLElement)) return;
    asked.current = null;
    const holder = document.activeElement;
    if (holder !== button.current && holder !== document.body) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }, [count]);
  return { list, button, willComeAfter: (already: number) => (asked.current = already) };
}
