import { useEffect, useRef } from 'react';
import { type PagedListResult, getLoadedRows } from '../navigation/paged-list.ts';

type EntryMatcher<E> = {
  is: (entry: E) => boolean;
  /** Id of the heading in the entry's card. */
  headingId: (entry: E) => string;
};

/**
 * Scrolls once to the entry that the user came for and focuses it, loading further pages of the list until it
 * is found. Does not scroll or focus if the user has since moved focus elsewhere on the page.
 */
export function useScrollToEntry<E>(pages: PagedListResult<E>, led: EntryMatcher<E> | undefined) {
  const isThere = useRef(false);
  useEffect(() => {
    if (!led || !pages.data || isThere.current) return;
    const found = getLoadedRows(pages.data).find(led.is);
    if (found) {
      isThere.current = true;
      scrollToHeading(led.headingId(found));
    } else if (pages.hasNextPage && !pages.isFetching && !pages.isError) void pages.fetchNextPage();
  });
}

function scrollToHeading(headingId: string) {
  const heading = document.getElementById(headingId);
  const holder = document.activeElement;
  if (!heading || (holder !== document.body && !holder?.matches('h1'))) return;
  heading.focus({ preventScroll: true });
  heading.closest('article')?.scrollIntoView({ block: 'start' });
}
