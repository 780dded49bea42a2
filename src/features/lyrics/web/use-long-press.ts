import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

const LONG_PRESS_MS = 500;
/** Movement allowed during a press, because a finger is never quite still. */
const MAX_MOVEMENT_PX = 8;
/** Time after scrolling during which a press is meant to stop the scroll, not to press the element under it. */
const AFTER_SCROLL_MS = 300;

type Press = { on: Element; x: number; y: number; isHeld: boolean; timer: ReturnType<typeof setTimeout> };

/**
 * Handles long presses. Calls `onLongPress` on release, because phones allow starting playback only then. A
 * press that turns into a scroll or a selection is cancelled, and the click after a long press is suppressed.
 * @param find returns the element to which a press on `target` belongs, or null if nothing there can be pressed
 */
export function useLongPress(find: (target: Element) => Element | null, onLongPress: (on: Element) => void) {
  const [pressedElement, setPressedElement] = useState<Element | null>(null);
  const press = useRef<Press | null>(null);
  const scrolledAt = useRef(-Infinity);
  const swallowsClick = useRef(false);

  const end = () => {
    clearTimeout(press.current?.timer);
    press.current = null;
    setPressedElement(null);
  };

  useEffect(() => {
    const onScroll = () => {
      scrolledAt.current = performance.now();
      if (press.current) end();
    };
    // Listens in the capture phase, because scroll events do not bubble.
    document.addEventListener('scroll', onScroll, true);
    return () => {
      document.removeEventListener('scroll', onScroll, true);
      clearTimeout(press.current?.timer);
    };
  }, []);

  const handlers = {
    onPointerDown({ target, clientX: x, clientY: y, button, ctrlKey, isPrimary }: PointerEvent) {
      end();
      swallowsClick.current = false;
      const on = target instanceof Element ? find(target) : null;
      const stopsScroll = performance.now() - scrolledAt.current < AFTER_SCROLL_MS;
      if (!on || button !== 0 || ctrlKey || !isPrimary || stopsScroll) return;
      const timer = setTimeout(() => {
        if (!press.current) return;
        press.current.isHeld = true;
        setPressedElement(on);
      }, LONG_PRESS_MS);
      press.current = { on, x, y, isHeld: false, timer };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > MAX_MOVEMENT_PX) end();
    },
    onPointerUp() {
      const { on, isHeld = false } = press.current ?? {};
      end();
      if (!on || !isHeld) return;
      swallowsClick.current = true;
      onLongPress(on);
    },
    onPointerCancel: end,
    onPointerLeave: end,
    onClickCapture(event: MouseEvent) {
      if (!swallowsClick.current) return;
      swallowsClick.current = false;
      event.stopPropagation();
      event.preventDefault();
    },
    onContextMenu(event: MouseEvent) {
      // Prevents phones from opening their context menu on a long press.
      if (press.current) event.preventDefault();
    },
  };
  return { pressedElement, handlers };
}
