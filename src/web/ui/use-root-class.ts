import { useLayoutEffect } from 'react';

/**
 * Adds a class to the root element while `isOn` is true. With `html:has(…)` instead, the browser would search
 * the whole page, which may have two thousand cards, whenever an element is added or removed.
 */
export function useRootClass(name: string, isOn = true) {
  useLayoutEffect(() => {
    if (!isOn) return;
    const { classList } = document.documentElement;
    classList.add(name);
    return () => classList.remove(name);
  }, [name, isOn]);
}
