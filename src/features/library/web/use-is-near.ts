import { type RefObject, useEffect, useState } from 'react';

/** About one screen ahead: early enough to load in time, without fetching pictures that nobody scrolls to. */
const ROOT_MARGIN = '600px';

/**
 * Returns whether the element is on the screen or close to it. The browser's own `loading="lazy"` fetches up to 2,500
 * px ahead, which on a slow connection competes with what the first screen needs.
 */
export function useIsNear(
  element: RefObject<Element | null>,
  isNearFromTheStart: boolean,
  isWorthLooking = true,
): boolean {
  const [isNear, setIsNear] = useState(isNearFromTheStart);
  useEffect(() => {
    if (isNear || !isWorthLooking || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
      },
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isNear, isWorthLooking]);
  return isNear;
}
