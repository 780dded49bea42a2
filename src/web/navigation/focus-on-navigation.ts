import { type RefObject, useEffect } from 'react';

let hasNavigated = false;

/**
 * Starts to watch for navigation between pages. Following a link scrolls to the top; going back keeps the
 * scroll position. On the first page, focus is left to the browser.
 */
export function watchNavigation() {
  hasNavigated = false;
  // wouter dispatches 'pushState' whenever a link is followed.
  addEventListener('pushState', moveOn);
  addEventListener('popstate', noticeMove);
}

function moveOn() {
  noticeMove();
  scrollTo(0, 0);
}

function noticeMove() {
  hasNavigated = true;
}

/** Focuses the page's heading after navigation, so that screen readers announce the new page. */
export function useFocusOnNavigation(heading: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (hasNavigated) heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
