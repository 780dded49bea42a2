import { clsx } from 'clsx';
import type { KeyboardEvent, PointerEvent } from 'react';
import { getSliderValueForKey } from '#web/audio-ui/playback/seek-slider.tsx';
import { toViewFraction, type WaveformView } from './engine/waveform-view.ts';
import { formatDurationInWordsToTenths } from './player-messages.ts';

type LoopHandleProps = {
  point: 'A' | 'B';
  /** In seconds, like `lowest`, `highest` and `length`. */
  at: number;
  lowest?: number;
  highest: number;
  length: number;
  /** The part of the melody that the waveform shows. */
  view: WaveformView;
  onMove: (to: number) => void;
};

/** Distance moved by one press of an arrow key or a button. */
export const LOOP_NUDGE_SECONDS = 0.1;
const LEAP_SECONDS = 1;

/**
 * One end of the loop, moved by dragging or with the arrow keys. The handle of A sticks out at the top of the
 * waveform and the handle of B at the bottom, so that they never overlap, however short the loop is.
 */
export function LoopHandle({ point, at, lowest = 0, highest, length, view, onMove }: LoopHandleProps) {
  const share = toViewFraction(view, at);
  const left = { left: `${share * 100}%` };
  const isInView = share >= 0 && share <= 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = getSliderValueForKey(event, {
      at,
      step: LOOP_NUDGE_SECONDS,
      leap: LEAP_SECONDS,
      lowest,
      highest,
    });
    if (to === undefined) return;
    event.preventDefault();
    onMove(to);
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button > 0) return;
    const isDown = event.type === 'pointerdown';
    if (isDown) event.currentTarget.setPointerCapture(event.pointerId);
    const whole = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!whole || (!isDown && !event.currentTarget.hasPointerCapture(event.pointerId))) return;
    // A press alone does not move the handle, because a finger is not precise enough.
    if (!isDown) onMove(view.from + ((event.clientX - whole.left) / whole.width) * (view.to - view.from));
  };
  if (!isInView || length === 0) return null;
  return (
    <>
      <div
        aria-hidden="true"
        className="forced-highlight pointer-events-none absolute top-0 h-12.5 w-0.5 -translate-x-1/2 bg-saffron-ink"
        style={left}
      />
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${point} point`}
        aria-valuemin={roundToTenths(lowest)}
        aria-valuemax={roundToTenths(highest)}
        aria-valuenow={roundToTenths(at)}
        aria-valuetext={formatDurationInWordsToTenths(at)}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        style={left}
        className={clsx(
          'absolute grid size-11 -translate-x-1/2 cursor-ew-resize touch-none place-items-center rounded-sm select-none',
          // The centres of the two touch targets are 44 px apart, the height of a target, so they never
          // overlap.
          point === 'A' ? '-top-4.5' : 'top-6.5',
        )}
      >
        <span
          aria-hidden="true"
          className={clsx(
            'forced-highlight grid size-5.5 place-items-center rounded-sm bg-saffron-ink text-xs leading-none font-semibold text-saffron-ground',
            point === 'A' ? 'translate-y-1.75' : '-translate-y-2.25',
          )}
        >
          {point}
        </span>
      </div>
    </>
  );
}

const roundToTenths = (seconds: number) => Math.round(seconds * 10) / 10;
