import { clsx } from 'clsx';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { MIN_LINE_SECONDS } from '#features/line-matching/limits.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { formatEditableTime } from '#features/feedback/web/marks/mark-times.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import { getLineLabel, PassageLabel, type SungPassagesProps } from './passage-label.tsx';

/** Shows the words of each line in a cell whose width is proportional to the sung duration. */
export function SungLineStrip(props: SungPassagesProps) {
  const { passages, seconds, current, onPlay, selected } = props;
  const [focused, setFocused] = useState<string | null>(null);
  const reachable = focused ?? selected?.key ?? current?.key ?? passages[0]?.key;
  return (
    <ol
      aria-label="Lines as they are sung"
      data-strip
      style={{ gridTemplateColumns: getGridColumns(passages, seconds) }}
      className="relative grid"
    >
      {passages.map((passage, index) => {
        const isCurrent = passage.key === current?.key;
        const { words } = passage.melody;
        return (
          <li
            key={passage.key}
            style={{ gridColumn: index * 2 + 2 }}
            onFocus={() => setFocused(passage.key)}
            className="relative min-w-0"
          >
            <button
              type="button"
              aria-current={isCurrent || undefined}
              title={passage.isSure ? words : undefined}
              onClick={() => onPlay(passage)}
              className={clsx(
                'flex h-full min-h-14 w-full border-b-3 px-2.5 py-2 text-start font-serif text-sm leading-snug -outline-offset-2',
                isCurrent && passage.isSure
                  ? 'border-saffron text-saffron-ink'
                  : 'border-transparent hover:bg-sunk',
              )}
            >
              <span {...(passage.isSure && getLangProps(words))} className="line-clamp-4 break-words">
                <PassageLabel passage={passage} />
              </span>
            </button>
            <LineStartHandle {...props} {...{ passage }} isReachable={passage.key === reachable} />
          </li>
        );
      })}
    </ol>
  );
}

/**
 * Returns grid columns proportional to duration: for the pause before each passage, for the passage itself,
 * and for the rest of the recording.
 */
function getGridColumns(passages: readonly SungPassage[], seconds: number) {
  const lengths = passages.flatMap(({ start, end }, index) => [
    start - (passages[index - 1]?.end ?? 0),
    Math.min(end, seconds) - start,
  ]);
  const rest = seconds - (passages.at(-1)?.end ?? 0);
  return [...lengths, rest].map((length) => `minmax(0, ${Math.max(0, length).toFixed(3)}fr)`).join(' ');
}

/** Minimum movement of a drag, in pixels. A shorter movement counts as a press. */
const MIN_DRAG_PX = 3;

/** Number of arrow-key steps in one step of Page Up or Page Down. */
const LARGE_STEP_FACTOR = 10;

type LineStartHandleProps = SungPassagesProps & {
  passage: SungPassage;
  /**
   * Whether the Tab key reaches the handle. Only one handle is reachable, so that Tab does not stop at every
   * line.
   */
  isReachable: boolean;
};

/** Handle that moves the start of a line, by dragging or by keys. */
function LineStartHandle({
  passage,
  moving,
  seconds,
  selected,
  onSelect,
  isReachable,
}: LineStartHandleProps) {
  const drag = useRef<{ x: number; start: number; hasMoved: boolean } | null>(null);
  const { from, to } = moving.getRange(passage.at);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onSelect(passage);
    moving.move(passage.at, passage.start + step * MIN_LINE_SECONDS);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button > 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, start: passage.start, hasMoved: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const begun = drag.current;
    const strip = event.currentTarget.closest('[data-strip]');
    if (!begun || !strip) return;
    const pixels = event.clientX - begun.x;
    if (!begun.hasMoved && Math.abs(pixels) < MIN_DRAG_PX) return;
    begun.hasMoved = true;
    const width = Math.max(1, strip.getBoundingClientRect().width);
    moving.move(passage.at, begun.start + (pixels / width) * seconds, true);
  };
  const onPointerUp = () => {
    if (drag.current?.hasMoved) moving.send();
    drag.current = null;
    onSelect(passage);
  };
  return (
    <div
      role="slider"
      tabIndex={isReachable ? 0 : -1}
      aria-label={`Start of ${getLineLabel(passage)}`}
      aria-orientation="horizontal"
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={passage.start}
      aria-valuetext={formatEditableTime(passage.start)}
      title={`Drag to change where ${getLineLabel(passage)} starts`}
      {...{ onKeyDown, onPointerDown, onPointerMove, onPointerUp }}
      onPointerCancel={onPointerUp}
      className="group absolute inset-y-0 left-0 z-10 flex w-6 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center pointer-coarse:w-11"
    >
      <span
        className={clsx(
          'h-5 w-1 rounded-full group-hover:h-full group-hover:bg-lapis group-focus-visible:h-full group-focus-visible:bg-lapis',
          selected?.key === passage.key ? 'h-full bg-lapis' : 'bg-edge',
        )}
      />
    </div>
  );
}

const KEY_STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -LARGE_STEP_FACTOR,
  PageUp: LARGE_STEP_FACTOR,
};
