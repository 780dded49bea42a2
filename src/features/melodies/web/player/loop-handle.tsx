import { clsx } from 'clsx';
import type { KeyboardEvent, PointerEvent } from 'react';
import { spokenTenths } from './player-messages.ts';

type LoopHandleProps = {
  point: 'A' | 'B';
  /** In seconds, like all of these. */
  at: number;
  lowest?: number;
  highest: number;
  length: number;
  onMove: (to: number) => void;
};

export const NUDGE_SECONDS = 0.1;
const LEAP_SECONDS = 1;

/**
 * One end of the loop, moved by dragging or with the keys. A is grabbed by the upper half and B by the lower, so that
 * they never overlap, however short the passage.
 */
export function LoopHandle({ point, at, lowest = 0, highest, length, onMove }: LoopHandleProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, at, lowest, highest);
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onMove(to);
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button > 0) return;
    const isDown = event.type === 'pointerdown';
    if (isDown) event.currentTarget.setPointerCapture(event.pointerId);
    const whole = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!whole || (!isDown && !event.currentTarget.hasPointerCapture(event.pointerId))) return;
    // A press alone moves nothing: a finger is not precise enough.
    if (!isDown) onMove(((event.clientX - whole.left) / whole.width) * length);
  };
  return (
    <>
      <div
        aria-hidden="true"
        className="pointer-events-none absolute top-0 h-24 w-0.5 -translate-x-1/2 bg-saffron-ink"
        style={{ left: percent(at, length) }}
      />
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${point} point`}
        aria-valuemin={rounded(lowest)}
        aria-valuemax={rounded(highest)}
        aria-valuenow={rounded(at)}
        aria-valuetext={spokenTenths(at)}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        style={{ left: percent(at, length) }}
        className={clsx(
          'absolute grid h-12 w-11 -translate-x-1/2 cursor-ew-resize touch-none justify-items-center rounded-sm select-none',
          point === 'A' ? 'top-0 items-start' : 'top-12 items-end',
        )}
      >
        <span
          aria-hidden="true"
          className="grid size-6 place-items-center rounded-sm bg-saffron-ink text-xs leading-none font-semibold text-saffron-ground"
        >
          {point}
        </span>
      </div>
    </>
  );
}

function keyTarget(key: string, at: number, lowest: number, highest: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at - NUDGE_SECONDS;
    case 'ArrowRight':
    case 'ArrowUp':
      return at + NUDGE_SECONDS;
    case 'PageDown':
      return at - LEAP_SECONDS;
    case 'PageUp':
      return at + LEAP_SECONDS;
    case 'Home':
      return lowest;
    case 'End':
      return highest;
    default:
      return undefined;
  }
}

const percent = (at: number, length: number) => `${length > 0 ? (at / length) * 100 : 0}%`;

const rounded = (seconds: number) => Math.round(seconds * 10) / 10;
