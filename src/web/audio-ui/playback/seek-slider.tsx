import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { formatDurationInWords } from '#web/ui/format-duration.ts';

type SeekSliderProps = {
  title: string;
  /** In seconds. */
  length: number;
  /** In whole seconds, as announced to screen readers. */
  played: number;
  /** The exact position in seconds, from which the arrow keys move. */
  position: () => number;
  onSeek: (seconds: number) => void;
  isDisabled: boolean;
  /** The range of the audio that the slider spans, in seconds; the whole audio by default. */
  view?: { from: number; to: number };
  children: ReactNode;
};

const STEP_SECONDS = 5;

/** A slider for seeking within audio by press, drag and keys. Screen readers announce the position. */
export function SeekSlider(props: SeekSliderProps) {
  const { title, length, played, position, onSeek, isDisabled, children } = props;
  const { view = { from: 0, to: length } } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const range = { at: position(), step: STEP_SECONDS, leap: length / 10, lowest: 0, highest: length };
    const to = getSliderValueForKey(event, range);
    if (to === undefined || isDisabled) return;
    event.preventDefault();
    onSeek(clampSeconds(to, length));
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    if (isDisabled || event.button > 0) return;
    const isDown = event.type === 'pointerdown';
    if (isDown) event.currentTarget.setPointerCapture(event.pointerId);
    if (!isDown && !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    onSeek(clampSeconds(view.from + share * (view.to - view.from), length));
  };
  return (
    <div
      role="slider"
      tabIndex={isDisabled ? -1 : 0}
      aria-label={`Position in ${title}`}
      aria-valuemin={0}
      aria-valuemax={Math.floor(length)}
      aria-valuenow={played}
      aria-valuetext={`${formatDurationInWords(played)} of ${formatDurationInWords(length)}`}
      aria-disabled={isDisabled || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      className={`touch-pan-y rounded-sm ${isDisabled ? 'opacity-50' : 'cursor-pointer'}`}
    >
      {children}
    </div>
  );
}

const clampSeconds = (seconds: number, length: number) => Math.min(Math.max(0, seconds), length);

type SliderRange = { at: number; step: number; leap: number; lowest: number; highest: number };

/**
 * Returns the value to which a key moves a slider, before clamping; undefined for a key that doesn't move it.
 */
export function getSliderValueForKey(event: KeyboardEvent, { at, step, leap, lowest, highest }: SliderRange) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const targets: Record<string, number> = {
    ArrowLeft: at - step,
    ArrowDown: at - step,
    ArrowRight: at + step,
    ArrowUp: at + step,
    PageDown: at - leap,
    PageUp: at + leap,
    Home: lowest,
    End: highest,
  };
  return targets[event.key];
}
