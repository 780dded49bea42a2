import { type RefObject, useEffect } from 'react';

let hasMoved = false;

/** Notices changes of page. The first page keeps the browser's own focus; a way back keeps its scroll. */
export function watchMoves() {
  // wouter dispatches 'pushState' whenever a link is followed.
  addEventListener('pushState', () => {
    hasMoved = true;
    scrollTo(0, 0);
  });
  addEventListener('popstate', () => {
    hasMoved = true;
  });
}

/** Takes focus to the page's heading after a change of page, so that screen readers say where one is. */
export function useArrival(heading: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (hasMoved) heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
