import { type ReactNode, useEffect, useRef } from 'react';
import type { usePages } from '../pages.ts';
import { Button } from './button.tsx';
import { LoadFailure } from './load-failure.tsx';

type LongListProps<E> = {
  pages: ReturnType<typeof usePages<E & { id: number }>>;
  /** 'Your recordings could not be loaded.' */
  failure: string;
  /** Shown until the first page is loaded. */
  skeleton: ReactNode;
  empty: ReactNode;
  as?: 'div' | 'ul';
  className: string;
  item: (entry: E) => ReactNode;
};

/** How often the list may be refetched in between. */
const TRIES = 10;

/** A list that can be loaded page by page to its end; after 'Load more', focus moves to the first new entry. */
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
  const had = pages.data.pages.length;
  const onMore = async () => {
    willComeAfter(entries.length);
    // If the list is being refetched, this awaits the refetch instead of the next page, which is then requested again.
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { data, isError } = await pages.fetchNextPage({ cancelRefetch: false });
      if (isError || !data || data.pages.length > had) return;
    }
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
        <Button ref={button} busy={pages.isFetchingNextPage} onClick={() => void onMore()}>
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
