import { type RefObject, useEffect } from 'react';

/** Focuses this when a step begins whose button, of the step before, has gone with the focus. */
export function useFocusIfLost(place: RefObject<HTMLElement | null>, step: unknown) {
  useEffect(() => {
    // A dialog that closes gives focus back a moment later, to a button that may be gone.
    const frame = requestAnimationFrame(() => {
      const holder = document.activeElement;
      if (holder === document.body || holder?.id === 'content') place.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [place, step]);
}
