import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Calls `onLeave` when the user presses or focuses something outside an open element. */
export function useOnInteractOutside(
  around: RefObject<HTMLElement | null>,
  isOpen: boolean,
  onLeave: () => void,
) {
  const leave = useEffectEvent(({ target, type }: Event) => {
    if (!(target instanceof Node) || around.current?.contains(target)) return;
    // Ignores focus on a dialog that contains the element. A press on a label focuses the dialog, which does
    // not count as leaving.
    if (type === 'focusin' && target.contains(around.current)) return;
    onLeave();
  });
  useEffect(() => {
    if (!isOpen) return;
    const listener = (event: Event) => leave(event);
    document.addEventListener('pointerdown', listener);
    document.addEventListener('focusin', listener);
    return () => {
      document.removeEventListener('pointerdown', listener);
      document.removeEventListener('focusin', listener);
    };
  }, [isOpen]);
}
