import { type RefObject, useEffect } from 'react';

let hasMoved = false;

/**
 * Detects navigation between pages. The first page keeps the browser's own focus, and going back keeps the scroll
 * position.
 */
export function watchMoves() {
  hasMoved = false;
  // wouter dispatches 'pushState' whenever a link is followed.
  addEventListener('pushState', moveOn);
  addEventListener('popstate', noticeMove);
}

function moveOn() {
  noticeMove();
  scrollTo(0, 0);
}

function noticeMove() {
  hasMoved = true;
}

/** Focuses the page's heading after navigation, so that screen readers announce the new page. */
export function useArrival(heading: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (hasMoved) heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
