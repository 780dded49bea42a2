import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { formatDurationToTenths } from '#web/ui/format-duration.ts';
import { type SungLine, getLineWords } from '../parse.ts';
import {
  continueTappingFrom,
  nudgeLineStart,
  removeLineStart,
  tapAgainFrom,
  type TappingState,
} from '../tapping.ts';
import { getLangProps } from './lang-props.ts';

type TimedLineEditorProps = {
  line: SungLine;
  total: number;
  /** Index of the line's passage, or -1 if the line has no time. */
  place: number;
  tapping: TappingState;
  isNext: boolean;
  isCurrent: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (next: TappingState) => void;
  onHear: (start: number) => void;
};

/** A line with its time. Pressing it opens the tools for that time. */
export function TimedLineEditor(props: TimedLineEditorProps) {
  const { line, total, place, tapping, isNext, isCurrent, isOpen, onOpen } = props;
  const start = tapping.passages[place]?.start ?? null;
  const words = getLineWords(line);
  return (
    <li
      aria-current={isCurrent || undefined}
      {...(isNext && { 'data-next': '' })}
      className={clsx(
        'rounded-lg border-2',
        isNext
          ? 'border-saffron bg-saffron-ground [--phonetics:1.25rem] [--tibetan:1.625rem] desk:[--phonetics:1.5rem] desk:[--tibetan:2.125rem]'
          : isOpen
            ? 'border-line'
            : 'border-transparent',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        className="block min-h-11 w-full rounded-lg px-2 py-1.5 hover:bg-sunk"
      >
        <span
          className={clsx(
            'block text-sm font-semibold tabular-nums',
            isNext || isCurrent ? 'text-saffron-ink' : 'text-soft',
          )}
        >
          {isNext && `Next: line ${line.index + 1} of ${total}${start === null ? '' : ' · '}`}
          {start === null ? !isNext && 'not timed yet' : formatDurationToTenths(start)}
          {isCurrent && <span className="sr-only">, playing now</span>}
        </span>{' '}
        {isOpen ? (
          <span {...getLangProps(words)} className="block font-serif text-base">
            {words}
          </span>
        ) : (
          <Words line={line} isNext={isNext} />
        )}
      </button>
      {isOpen && <TimingTools {...props} start={start} />}
    </li>
  );
}

/** The Tibetan and the pronunciation of a line. Its translations appear only if it has no other layer. */
function Words({ line, isNext }: { line: SungLine; isNext: boolean }) {
  const sung = line.parts.filter(({ layer }) => layer !== 'translation');
  return (
    <span className="sung-text block font-serif">
      {(sung.length > 0 ? sung : line.parts).map(({ layer, lang, words, line: typed }) => (
        <span
          key={typed}
          {...(lang && { lang })}
          className={clsx(
            'block',
            layer === 'tibetan'
              ? 'sung-tibetan'
              : layer === 'phonetics'
                ? clsx('sung-phonetics', isNext && 'font-semibold')
                : 'preserve-case',
          )}
        >
          {words}{' '}
        </span>
      ))}
    </span>
  );
}

function TimingTools(props: TimedLineEditorProps & { start: number | null }) {
  const { line, place, tapping, isNext, start, onChange, onHear, onOpen } = props;
  const tools = useRef<HTMLDivElement>(null);
  useEffect(() => {
    tools.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  // Applies a change and closes the tools. Moves focus to the line, because the pressed button disappears.
  const thenClose = (next: TappingState) => {
    tools.current?.parentElement?.querySelector('button')?.focus();
    onChange(next);
    onOpen(false);
  };
  if (start === null && isNext)
    return (
      <div ref={tools} className="px-2 pb-3 text-sm">
        Your next tap sets its time.
      </div>
    );
  return (
    <div ref={tools} className="flex flex-wrap justify-center gap-2 px-2 pt-1 pb-3">
      {start === null ? (
        <Button onClick={() => thenClose(continueTappingFrom(tapping, line.index))}>
          Tap this line next
        </Button>
      ) : (
        <>
          <Button onClick={() => onChange(nudgeLineStart(tapping, place, -0.1))}>0.1 s earlier</Button>
          <Button onClick={() => onChange(nudgeLineStart(tapping, place, 0.1))}>0.1 s later</Button>
          <Button onClick={() => onHear(start)}>Play from here</Button>
          <Button onClick={() => thenClose(tapAgainFrom(tapping, place))}>Tap again from here</Button>
          <Button onClick={() => thenClose(removeLineStart(tapping, place))}>Remove this time</Button>
        </>
      )}
    </div>
  );
}
