import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';

const SHOWN_AFTER_MS = 700;
/** Within this time of the last one, the next shows at once. */
const SKIP_WITHIN_MS = 300;
/** Time to move from the control onto the tooltip, which must be possible. */
const LEAVE_AFTER_MS = 120;
const GAP_PX = 6;

let lastHiddenAt = -Infinity;

type Handlers = {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: (event: FocusEvent<HTMLElement>) => void;
};

type Place = { left: number; top: number; isAbove: boolean };

/**
 * Repeats a control's name on hover and focus; never the only place where something is said.
 * Our own rather than Radix's, whose positioning alone weighs 8 KB on every page.
 */
export function Tooltip({ text, children }: { text: string; children: ReactElement<Handlers> }) {
  const [place, setPlace] = useState<Place | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const after = (wait: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, wait);
  };
  const show = (control: HTMLElement) => {
    const wait = performance.now() - lastHiddenAt < SKIP_WITHIN_MS ? 0 : SHOWN_AFTER_MS;
    after(wait, () => setPlace(placeBy(control)));
  };
  const hide = () => {
    clearTimeout(timer.current);
    setPlace((shown) => {
      if (shown) lastHiddenAt = performance.now();
      return null;
    });
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!place) return;
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && setPlace(null);
    const onScroll = () => setPlace(null);
    addEventListener('keydown', onKeyDown);
    addEventListener('scroll', onScroll, true);
    return () => {
      removeEventListener('keydown', onKeyDown);
      removeEventListener('scroll', onScroll, true);
    };
  }, [place]);

  const own = children.props;
  const control = cloneElement(children, {
    onPointerEnter: (event) => {
      own.onPointerEnter?.(event);
      if (event.pointerType !== 'touch') show(event.currentTarget);
    },
    onPointerLeave: (event) => {
      own.onPointerLeave?.(event);
      after(LEAVE_AFTER_MS, hide);
    },
    onPointerDown: (event) => {
      own.onPointerDown?.(event);
      hide();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget);
    },
    onBlur: (event) => {
      own.onBlur?.(event);
      hide();
    },
  });

  return (
    <>
      {control}
      {place &&
        createPortal(
          // Screen readers have the control's own name already.
          <div
            aria-hidden="true"
            onPointerEnter={() => clearTimeout(timer.current)}
            onPointerLeave={hide}
            style={{
              left: place.left,
              top: place.top,
              transform: `translate(-50%, ${place.isAbove ? '-100%' : '0'})`,
            }}
            className="fixed z-50 w-max max-w-60 rounded-sm bg-ink px-3 py-1.5 text-xs text-ground shadow-soft"
          >
            {text}
          </div>,
          document.body,
        )}
    </>
  );
}

function placeBy(control: HTMLElement): Place {
  const { left, width, top, bottom } = control.getBoundingClientRect();
  const isAbove = top > 64;
  // Half of the widest tooltip stays clear of either edge.
  const middle = Math.min(Math.max(left + width / 2, 128), Math.max(128, innerWidth - 128));
  return { left: middle, top: isAbove ? top - GAP_PX : bottom + GAP_PX, isAbove };
}
