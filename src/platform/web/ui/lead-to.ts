import { useEffect, useRef } from 'react';
import type { usePages } from '../pages.ts';

type Led<E> = {
  is: (entry: E) => boolean;
  /** The heading in its card. */
  headingId: (entry: E) => string;
};

/**
 * Takes sight and focus, once, to the entry of a long list that one came for, however late it comes and however far
 * back it lies. Who has gone elsewhere on the page meanwhile stays there.
 */
export function useLeadTo<E extends { id: number }>(
  pages: ReturnType<typeof usePages<E>>,
  led: Led<E> | undefined,
) {
  const isThere = useRef(false);
  useEffect(() => {
    if (!led || !pages.data || isThere.current) return;
    const found = pages.data.pages.flat().find(led.is);
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
