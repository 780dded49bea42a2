import { type RefObject, useEffect } from 'react';

/** Focuses a field and scrolls to it when the URL ends in `#` and this name. */
export function useFocusOnHash(name: string, field: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const look = () => {
      if (location.hash !== `#${name}`) return;
      field.current?.focus({ preventScroll: true });
      field.current?.scrollIntoView({ block: 'center' });
    };
    // Runs after the page's heading has taken the focus on navigation.
    const frame = requestAnimationFrame(look);
    addEventListener('pushState', look);
    addEventListener('hashchange', look);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('pushState', look);
      removeEventListener('hashchange', look);
    };
  }, [name, field]);
}
