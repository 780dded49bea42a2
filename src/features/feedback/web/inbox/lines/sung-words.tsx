import { clsx } from 'clsx';
import { useLayoutEffect, useRef, useState } from 'react';
import { Announce } from '#web/ui/announce.tsx';
import { sentenceOf } from '#web/api/call.ts';
import { Notice } from '#web/ui/notice.tsx';
import { typedOf } from '#features/feedback/web/marks/mark-times.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import type { WordsProps } from './passage-words.tsx';
import { BeginningPanel } from './beginning-panel.tsx';
import { SungList } from './sung-list.tsx';
import { SungStrip } from './sung-strip.tsx';
import type { SungLines } from './use-sung-lines.ts';

type SungWordsProps = Pick<WordsProps, 'current' | 'onPlay' | 'seconds'> & {
  sung: SungLines;
  audio: HTMLAudioElement | null;
};

/** Shows the words of a recording below its waveform, at the times at which they are sung. */
export function SungWords({ sung, audio, ...props }: SungWordsProps) {
  const { passages, moving, isWorking } = sung;
  const [takenKey, setTaken] = useState<string | null>(null);
  const [box, width] = useWidth();
  const isStrip = useIsStrip(passages, width, props.seconds);
  const taken = passages.find(({ key }) => key === takenKey) ?? null;
  if (passages.length === 0)
    return isWorking ? (
      <p role="status" className="min-h-20 pt-2 text-sm text-soft">
        Finding the lines…
      </p>
    ) : null;
  const words: WordsProps = {
    ...{ ...props, passages, moving, taken },
    onTake: (passage) => setTaken(passage?.key ?? null),
  };
  return (
    <div ref={box}>
      <div className={clsx('relative', !isStrip && 'pt-2')}>
        <Borders {...words} isStrip={isStrip} />
        {width !== null && (isStrip ? <SungStrip {...words} /> : <SungList {...words} />)}
      </div>
      {taken && (
        <BeginningPanel {...{ taken, moving, audio }} onPlay={props.onPlay} onClose={() => setTaken(null)} />
      )}
      {moving.error && (
        <div className="mt-2">
          <Notice tone="danger" title="The start of the line wasn’t changed.">
            {sentenceOf(moving.error, 'The connection was lost.')}
          </Notice>
        </div>
      )}
      <Announce
        text={
          taken && moving.isKept
            ? `Line ${taken.melody.index + 1} starts at ${typedOf(taken.start)}. Saved.`
            : ''
        }
      />
    </div>
  );
}

/** Draws the line borders through the waveform and the strip, and highlights the current passage. Visual only. */
function Borders({ passages, current, seconds, isStrip }: WordsProps & { isStrip: boolean }) {
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

/** Minimum width of a strip, in pixels; on phones, words would break in the middle. */
const STRIP_MIN = 480;

/** Minimum widths, in pixels, to read words in a strip and to press a line. */
const READ = 76;
const PRESSED = 44;

function hasRoom(passages: readonly SungPassage[], pixelsPerSecond: number) {
  const widths = passages
    .map(({ start, end }) => (end - start) * pixelsPerSecond)
    .sort((one, other) => one - other);
  return widths[0]! >= PRESSED && widths[widths.length >> 1]! >= READ;
}

/**
 * Whether the lines fit in a strip. Decided once per width, not while beginnings are moved: the strip would disappear
 * during a drag.
 */
function useIsStrip(passages: readonly SungPassage[], width: number | null, seconds: number) {
  const count = passages.length;
  const [decided, setDecided] = useState({ width, count, isStrip: false });
  if (width === null || count === 0) return false;
  if (decided.width === width && decided.count === count) return decided.isStrip;
  const isStrip = width >= STRIP_MIN && hasRoom(passages, width / seconds);
  setDecided({ width, count, isStrip });
  return isStrip;
}

/** Measures the width of an element; null until it is mounted. */
function useWidth() {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState<number | null>(null);
  const last = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (!element) return;
    const look = () => {
      // A hidden element has no width; keep the last one.
      if (element.clientWidth > 0 && element.clientWidth !== last.current)
        setWidth((last.current = element.clientWidth));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    look();
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width] as const;
}
