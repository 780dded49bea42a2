import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import type { SungLine } from '#features/lyrics/parse.ts';
import type { TappingState } from '#features/lyrics/tapping.ts';
import { scrollSmoothly } from '#features/lyrics/web/scroll-smoothly.ts';
import { useCurrentPassageIndex } from '#features/lyrics/web/current-passage.ts';
import { TimedLineEditor } from '#features/lyrics/web/timed-line-editor.tsx';
import type { LyricsScale } from '#features/lyrics/web/lyrics-scale.ts';

type TimingLinesProps = {
  lines: readonly SungLine[];
  tapping: TappingState;
  clock: PracticeTransport;
  size: LyricsScale;
  onChange: (next: TappingState) => void;
};

/** All lines with their times, in their own scroll area, centred on the line to tap next. */
export function TimingLines({ lines, tapping, clock, size, onChange }: TimingLinesProps) {
  const { passages, next } = tapping;
  const [openLine, setOpenLine] = useState<number | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const currentLine = passages[useCurrentPassageIndex(clock, passages)]?.index ?? -1;
  useCentredNextLine(area, clock, next);
  return (
    <div
      ref={area}
      role="region"
      tabIndex={0}
      aria-label="Time the lines"
      className="practice-words [container-type:size] min-h-40 grow basis-0 overflow-y-auto overscroll-contain px-3 focus-visible:-outline-offset-3 sm:px-8"
      // Set only if needed, because the page's content security policy forbids the style attribute that server
      // rendering adds.
      {...(size !== 1 && { style: { '--words-size': size } as CSSProperties })}
    >
      {lines.length === 0 ? (
        <p className="py-8 text-soft">
          This melody has no words yet. Add words to the melody, or use a timing file (LRC).
        </p>
      ) : (
        // The padding lets the first and the last line be centred too.
        <ol className="mx-auto grid max-w-225 gap-2 py-[35cqh]">
          {lines.map((line) => (
            <TimedLineEditor
              key={line.index}
              line={line}
              total={lines.length}
              place={passages.findIndex(({ index }) => index === line.index)}
              tapping={tapping}
              isNext={line.index === next}
              isCurrent={line.index === currentLine}
              isOpen={line.index === openLine}
              onOpen={(isOpen) => setOpenLine(isOpen ? line.index : null)}
              onChange={onChange}
              onHear={(start) => clock.playFrom(start)}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

/**
 * Keeps the line to tap next centred, even when the area is resized, for example because a phone is rotated.
 */
function useCentredNextLine(area: { current: HTMLElement | null }, clock: PracticeTransport, next: number) {
  const stop = useRef(() => {});
  const show = useEffectEvent(() => {
    stop.current();
    const scroller = area.current;
    const line = scroller?.querySelector('[data-next]');
    if (!scroller || !line) return;
    const [view, box] = [scroller.getBoundingClientRect(), line.getBoundingClientRect()];
    const by = box.top + box.height / 2 - (view.top + view.height / 2);
    if (clock.isPlaying()) stop.current = scrollSmoothly(scroller, by);
    else scroller.scrollBy({ top: by });
  });
  useEffect(() => {
    show();
    return () => stop.current();
  }, [next]);
  useEffect(() => {
    const scroller = area.current;
    if (!scroller) return;
    const resized = new ResizeObserver(() => show());
    resized.observe(scroller);
    return () => resized.disconnect();
  }, [area]);
}
