import { type RefObject, useEffect, useState } from 'react';

/**
 * About the height of one screen. Pictures start to load early enough, but those that nobody scrolls to are not
 * fetched.
 */
const ROOT_MARGIN = '600px';

/**
 * Returns whether the element has been on the screen or close to it. The browser's own `loading="lazy"`
 * fetches up to 2,500 px ahead, which on a slow connection delays what is visible on the screen.
 */
export function useIsNearViewport(
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
