import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

const HOLD_MS = 500;
/** A finger is never quite still. */
const SLIP_PX = 8;
/** A press that stops a scroll was not meant for what it came down on. */
const AFTER_SCROLL_MS = 300;

type Press = { on: Element; x: number; y: number; isHeld: boolean; timer: ReturnType<typeof setTimeout> };

/**
 * Presses that are held. One acts once it is let go, because phones play only then, and not at all if it turns into a
 * scroll or a selection; the click that follows is swallowed.
 * @param find what was pressed, of all that the handlers are on; null for nothing that can be
 */
export function useLongPress(find: (target: Element) => Element | null, onLongPress: (on: Element) => void) {
  const [held, setHeld] = useState<Element | null>(null);
  const press = useRef<Press | null>(null);
  const scrolledAt = useRef(-Infinity);
  const swallowsClick = useRef(false);

  const end = () => {
    clearTimeout(press.current?.timer);
    press.current = null;
    setHeld(null);
  };

  useEffect(() => {
    const onScroll = () => {
      scrolledAt.current = performance.now();
      if (press.current) end();
    };
    // Scrolls do not bubble.
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
        setHeld(on);
      }, HOLD_MS);
      press.current = { on, x, y, isHeld: false, timer };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > SLIP_PX) end();
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
      // What a phone opens for a held finger.
      if (press.current) event.preventDefault();
    },
  };
  return { held, handlers };
}
