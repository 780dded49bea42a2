import { type PointerEvent, useRef, useState } from 'react';

/** Minimum length of a drag. A shorter movement counts as a press. */
const MIN_DRAG_PX = 8;

/** A range of the audio, in fractions of its duration (0 to 1). */
type DragRange = { from: number; to: number };

/**
 * Returns event handlers for selecting a range by dragging over a slider, and the range while it is being
 * dragged. The slider handles presses without a drag.
 * @param onStretch called with the selected range in seconds; if undefined, the slider handles drags too
 */
export function useRangeDrag(seconds: number, onStretch: ((from: number, to: number) => void) | undefined) {
  // A ref, because the last move and the end of a drag may come before the next render.
  const begun = useRef<{ x: number; at: number; to: number | null } | null>(null);
  const [stretch, setStretch] = useState<DragRange | null>(null);
  const end = () => {
    begun.current = null;
    setStretch(null);
  };
  const drag = onStretch && {
    // Handles the events in the capture phase, before the slider, so that the slider does not follow a drag.
    onPointerDownCapture(event: PointerEvent<HTMLElement>) {
      // Ignores a press on a mark's pin, which handles the press itself.
      if (event.button > 0 || (event.target as Element).closest('button')) return;
      begun.current = { x: event.clientX, at: getFraction(event), to: null };
    },
    onPointerMoveCapture(event: PointerEvent<HTMLElement>) {
      const drag = begun.current;
      if (!drag || (drag.to === null && Math.abs(event.clientX - drag.x) < MIN_DRAG_PX)) return;
      event.stopPropagation();
      drag.to = getFraction(event);
      setStretch(toRange(drag.at, drag.to));
    },
    onPointerUpCapture() {
      const drag = begun.current;
      end();
      if (!drag || drag.to === null) return;
      const { from, to } = toRange(drag.at, drag.to);
      onStretch(from * seconds, to * seconds);
    },
    onPointerCancelCapture: end,
  };
  return { stretch, drag };
}

const toRange = (one: number, other: number): DragRange => ({
  from: Math.min(one, other),
  to: Math.max(one, other),
});

function getFraction({ clientX, currentTarget }: PointerEvent<HTMLElement>) {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(1, Math.max(0, (clientX - left) / width));
}

export const DraggedRange = ({ from, to }: DragRange) => (
  <span
    aria-hidden="true"
    style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
    className="pointer-events-none absolute inset-y-0 rounded-sm border-x-2 border-saffron bg-saffron/25"
  />
);
