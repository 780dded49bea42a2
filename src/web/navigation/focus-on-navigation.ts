import { type RefObject, useEffect } from 'react';

let hasMoved = false;

/** Notices changes of page. The first page keeps the browser's own focus; a way back keeps its scroll. */
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

/** Takes focus to the page's heading after a change of page, so that screen readers say where one is. */
export function useArrival(heading: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (hasMoved) heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
