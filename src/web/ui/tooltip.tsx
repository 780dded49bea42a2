import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';

const SHOW_DELAY_MS = 700;
/** While another tooltip is shown, and for this long after it, the next one appears without delay. */
const SKIP_WITHIN_MS = 300;
/** Time for the user to move the pointer from the control onto the tooltip without hiding it. */
const HIDE_DELAY_MS = 120;
const GAP_PX = 6;

let lastHiddenAt = -Infinity;
/** Hides the current tooltip; null if there is none. */
let hideCurrentTooltip: (() => void) | null = null;

type Place = { left: number; top: number; isAbove: boolean };

/**
 * Shows a control's name on hover and keyboard focus. It must not be the only place for any information,
 * because touch screens show no tooltips. It does not use Radix, whose positioning alone adds 8 KB to every
 * page.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [place, setPlace] = useState<Place | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // One function for this tooltip's lifetime: its identity shows whether this tooltip is the current one.
  const [takeAway] = useState(() => () => setPlace(null));

  const after = (wait: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, wait);
  };
  const show = (control: Element) =>
    after(getShowDelay(), () => {
      hideCurrentTooltip?.();
      hideCurrentTooltip = takeAway;
      setPlace(getPlace(control));
    });
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    takeAway();
    if (hideCurrentTooltip !== takeAway) return;
    hideCurrentTooltip = null;
    lastHiddenAt = performance.now();
  }, [takeAway]);

  useEffect(() => hide, [hide]);
  useEffect(() => {
    if (!place) return;
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    addEventListener('keydown', onKeyDown);
    addEventListener('scroll', hide, true);
    return () => {
      removeEventListener('keydown', onKeyDown);
      removeEventListener('scroll', hide, true);
    };
  }, [place, hide]);

  const onPointerEnter = ({ pointerType, currentTarget }: PointerEvent) => {
    if (pointerType !== 'touch' && currentTarget.firstElementChild) show(currentTarget.firstElementChild);
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (target.matches(':focus-visible')) show(target);
  };

  return (
    <>
      <span
        className="contents"
        onPointerEnter={onPointerEnter}
        onPointerLeave={() => after(HIDE_DELAY_MS, hide)}
        onPointerDown={hide}
        onFocus={onFocus}
        onBlur={hide}
      >
        {children}
      </span>
      {place &&
        createPortal(
          // Hidden from screen readers, which already read the control's own name.
          <div
            aria-hidden="true"
            onPointerEnter={() => clearTimeout(timer.current)}
            onPointerLeave={hide}
            style={{
              left: place.left,
              top: place.top,
              transform: `translate(-50%, ${place.isAbove ? '-100%' : '0'})`,
            }}
            className="fixed z-50 w-max max-w-60 rounded-sm bg-ink px-3 py-1.5 text-xs text-ground shadow-soft forced-colors:border"
          >
            {text}
          </div>,
          document.body,
        )}
    </>
  );
}

const getShowDelay = () =>
  hideCurrentTooltip || performance.now() - lastHiddenAt < SKIP_WITHIN_MS ? 0 : SHOW_DELAY_MS;

function getPlace(control: Element): Place {
  const { left, width, top, bottom } = control.getBoundingClientRect();
  const isAbove = top > 64;
  // Leaves room for half of the widest tooltip at either edge.
  const middle = Math.min(Math.max(left + width / 2, 128), Math.max(128, innerWidth - 128));
  return { left: middle, top: isAbove ? top - GAP_PX : bottom + GAP_PX, isAbove };
}
