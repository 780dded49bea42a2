import { type RefObject, useEffect } from 'react';

/** Focuses an element when a new step begins, if focus was lost with the previous step's button. */
export function useFocusIfLost(place: RefObject<HTMLElement | null>, step: unknown) {
  useEffect(() => {
    // Waits a frame, because a closing dialog returns focus a moment later, to a button that may be gone.
    const frame = requestAnimationFrame(() => {
      const holder = document.activeElement;
      if (holder === document.body || holder?.id === 'content') place.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [place, step]);
}
