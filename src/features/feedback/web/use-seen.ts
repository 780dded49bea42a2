import { type RefObject, useEffect } from 'react';

/** Anything shorter is scrolling past. */
const SEEN_AFTER_MS = 1_000;

/** A sliver at the edge of the screen does not count as visible. */
const MIDDLE = { rootMargin: '-20% 0px' };

/** Calls `onSeen` once the element has been in view for a second, on a visible page. */
export function useSeen(element: RefObject<HTMLElement | null>, isAwaited: boolean, onSeen: () => void) {
  useEffect(() => {
    const watched = element.current;
    if (!isAwaited || !watched) return;
    let timer = 0;
    let isInSight = false;
    const look = () => {
      clearTimeout(timer);
      if (isInSight && !document.hidden) timer = window.setTimeout(onSeen, SEEN_AFTER_MS);
    };
    const observer = new IntersectionObserver((entries) => {
      isInSight = entries.at(-1)?.isIntersecting ?? false;
      look();
    }, MIDDLE);
    observer.observe(watched);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [element, isAwaited, onSeen]);
}
