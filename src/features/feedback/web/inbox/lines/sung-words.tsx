import { clsx } from 'clsx';
import { useLayoutEffect, useRef, useState } from 'react';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { getErrorMessage } from '#web/api/call.ts';
import { Notice } from '#web/ui/notice.tsx';
import { formatEditableTime } from '#features/feedback/web/marks/mark-times.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import type { SungPassagesProps } from './passage-label.tsx';
import { LineStartPanel } from './line-start-panel.tsx';
import { SungLineList } from './sung-line-list.tsx';
import { SungLineStrip } from './sung-line-strip.tsx';
import type { SungLinesState } from './use-sung-lines.ts';

type SungWordsProps = Pick<SungPassagesProps, 'current' | 'onPlay' | 'seconds'> & {
  sung: SungLinesState;
  audio: HTMLAudioElement | null;
};

/** Shows the words of a recording below its waveform, at the times at which they are sung. */
export function SungWords({ sung, audio, ...props }: SungWordsProps) {
  const { passages, moving, isWorking } = sung;
  const [selectedKey, setSelectedKey] = useState<string | null>(null);
  const [box, width] = useWidth();
  const isStrip = useIsStrip(passages, width, props.seconds);
  const selected = passages.find(({ key }) => key === selectedKey) ?? null;
  if (passages.length === 0)
    return isWorking ? (
      <p role="status" className="min-h-20 pt-2 text-sm text-soft">
        Finding the lines…
      </p>
    ) : null;
  const words: SungPassagesProps = {
    ...{ ...props, passages, moving, selected },
    onSelect: (passage) => setSelectedKey(passage?.key ?? null),
  };
  return (
    <div ref={box}>
      <div className={clsx('relative', !isStrip && 'pt-2')}>
        <LineBorders {...words} isStrip={isStrip} />
        {width !== null && (isStrip ? <SungLineStrip {...words} /> : <SungLineList {...words} />)}
      </div>
      {selected && (
        <LineStartPanel
          {...{ selected, moving, audio }}
          onPlay={props.onPlay}
          onClose={() => setSelectedKey(null)}
        />
      )}
      {moving.error && (
        <div className="mt-2">
          <Notice tone="danger" title="The start of the line wasn’t changed.">
            {getErrorMessage(moving.error, 'The connection was lost.')}
          </Notice>
        </div>
      )}
      <ScreenReaderAnnouncement
        text={
          selected && moving.isSaved
            ? `Line ${selected.melody.index + 1} starts at ${formatEditableTime(selected.start)}. Saved.`
            : ''
        }
      />
    </div>
  );
}

/**
 * Draws the line borders through the waveform and, if it is shown, the strip. Highlights the current passage.
 * Visual only.
 */
function LineBorders({ passages, current, seconds, isStrip }: SungPassagesProps & { isStrip: boolean }) {
  const at = (second: number) => `${Math.min(100, (100 * second) / seconds)}%`;
  const position = clsx('pointer-events-none absolute inset-x-0 -top-21', isStrip ? 'bottom-0' : 'h-21');
  return (
    <>
      {current?.isSure && (
        <div aria-hidden="true" className={clsx(position, '-z-10 overflow-hidden')}>
          <span
            style={{ left: at(current.start), width: at(current.end - current.start) }}
            className="absolute inset-y-0 bg-saffron-ground"
          />
        </div>
      )}
      <div aria-hidden="true" className={clsx(position, 'overflow-hidden')}>
        {passages.map(({ key, start }) => (
          <span
            key={key}
            style={{ left: at(start) }}
            className="absolute inset-y-0 border-s border-dashed border-edge"
          />
        ))}
      </div>
    </>
  );
}

/** Minimum width of a strip, in pixels. In narrower strips, as on phones, words would break in the middle. */
const MIN_STRIP_WIDTH_PX = 480;

/** Minimum width of the median cell of a strip, in pixels, for its words to be readable. */
const MIN_READABLE_WIDTH_PX = 76;
/** Minimum width of the narrowest cell of a strip, in pixels, for it to be easy to press. */
const MIN_PRESSABLE_WIDTH_PX = 44;

function hasRoom(passages: readonly SungPassage[], pixelsPerSecond: number) {
  const widths = passages
    .map(({ start, end }) => (end - start) * pixelsPerSecond)
    .sort((one, other) => one - other);
  return widths[0]! >= MIN_PRESSABLE_WIDTH_PX && widths[widths.length >> 1]! >= MIN_READABLE_WIDTH_PX;
}

/**
 * Returns whether the lines fit in a strip. Decides again only if the width or the number of lines changes,
 * because the strip must not disappear while a line's start is being dragged.
 */
function useIsStrip(passages: readonly SungPassage[], width: number | null, seconds: number) {
  const count = passages.length;
  const [decided, setDecided] = useState({ width, count, isStrip: false });
  if (width === null || count === 0) return false;
  if (decided.width === width && decided.count === count) return decided.isStrip;
  const isStrip = width >= MIN_STRIP_WIDTH_PX && hasRoom(passages, width / seconds);
  setDecided({ width, count, isStrip });
  return isStrip;
}

/** Returns a ref callback and the width of its element, in pixels; the width is null until it is measured. */
function useWidth() {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState<number | null>(null);
  const last = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (!element) return;
    const updateWidth = () => {
      // Keeps the last width while the element is hidden, because a hidden element has no width.
      if (element.clientWidth > 0 && element.clientWidth !== last.current)
        setWidth((last.current = element.clientWidth));
    };
    const observer = new ResizeObserver(updateWidth);
    observer.observe(element);
    updateWidth();
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width] as const;
}
