import { useEffect, useRef } from 'react';
import { type Pages, rowsOf } from '../navigation/pages.ts';

type Led<E> = {
  is: (entry: E) => boolean;
  /** Id of the heading in the entry's card. */
  headingId: (entry: E) => string;
};

/**
 * Scrolls to and focuses, once, the entry of a long list that the user came for, however late it loads and however
 * far back it is. Does nothing if the user has since moved focus elsewhere on the page.
 */
export function useLeadTo<E>(pages: Pages<E>, led: Led<E> | undefined) {
  const isThere = useRef(false);
  useEffect(() => {
    if (!led || !pages.data || isThere.current) return;
    const found = rowsOf(pages.data).find(led.is);
    if (found) {
      isThere.current = true;
      goTo(led.headingId(found));
    } else if (pages.hasNextPage && !pages.isFetching && !pages.isError) void pages.fetchNextPage();
  });
}

function goTo(headingId: string) {
  const heading = document.getElementById(headingId);
  const holder = document.activeElement;
  if (!heading || (holder !== document.body && !holder?.matches('h1'))) return;
  heading.focus({ preventScroll: true });
  heading.closest('article')?.scrollIntoView({ block: 'start' });
}
