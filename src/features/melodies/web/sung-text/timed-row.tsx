import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { type SungLine, wordsOf } from '../../sung-text/parse.ts';
import { continueFrom, nudge, remove, tapAgainFrom, type Tapping } from '../../sung-text/tapping.ts';
import { langOf } from '../tibetan.ts';

type TimedRowProps = {
  line: SungLine;
  /** Index of its passage; -1 for a line without a time. */
  place: number;
  tapping: Tapping;
  isNext: boolean;
  isLit: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (next: Tapping) => void;
  onHear: (start: number) => void;
};

/** A line with its time; pressing it shows the tools for that time. */
export function TimedRow(props: TimedRowProps) {
  const { line, place, tapping, isNext, isLit, isOpen, onOpen } = props;
  const start = tapping.passages[place]?.start ?? null;
  const words = wordsOf(line);
  return (
    <li
      aria-current={isLit || undefined}
      className={clsx(
        'rounded-md border-s-4',
        isLit ? 'border-saffron bg-saffron-ground' : 'border-transparent',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        className="grid min-h-12 w-full grid-cols-[4.25rem_minmax(0,1fr)_1.5rem] items-center gap-2 rounded-md px-2 py-1.5 text-start hover:bg-sunk"
      >
        <span className="text-end text-sm tabular-nums">
          {start === null ? (
            <>
              <span aria-hidden="true">–</span>
              <span className="sr-only">no time</span>
            </>
          ) : (
            exactly(start)
          )}
        </span>
        <span className="min-w-0">
          <span {...langOf(words)} className={clsx('font-serif', start === null && !isNext && 'text-soft')}>
            {words}
          </span>
          {isNext && (
            <span className="ms-2 rounded-full bg-action-ground px-2 py-0.5 text-xs whitespace-nowrap text-action">
              next to tap
            </span>
          )}
        </span>
        <ChevronDown aria-hidden="true" className={clsx('size-5 text-soft', isOpen && 'rotate-180')} />
      </button>
      {isOpen && <RowTools {...props} start={start} />}
    </li>
  );
}

function RowTools({
  line,
  place,
  tapping,
  start,
  onChange,
  onHear,
}: TimedRowProps & { start: number | null }) {
  const tools = useRef<HTMLDivElement>(null);
  // The buttons disappear with the time, so focus moves to the row.
  const takeAway = (next: Tapping) => {
    tools.current?.parentElement?.querySelector('button')?.focus();
    onChange(next);
  };
  return (
    <div ref={tools} className="flex flex-wrap gap-2 px-2 pt-1 pb-3 sm:ps-20">
      {start === null ? (
        <Button onClick={() => onChange(continueFrom(tapping, line.index))}>Tap this line next</Button>
      ) : (
        <>
          <Button onClick={() => onChange(nudge(tapping, place, -0.1))}>0.1 s earlier</Button>
          <Button onClick={() => onChange(nudge(tapping, place, 0.1))}>0.1 s later</Button>
          <Button onClick={() => onHear(start)}>Hear it</Button>
          <Button onClick={() => takeAway(tapAgainFrom(tapping, place))}>Tap again from here</Button>
          <Button onClick={() => takeAway(remove(tapping, place))}>Clear this time</Button>
        </>
      )}
    </div>
  );
}

/** 1:05.3, since times are moved by tenths; hundredths only where there are any. */
function exactly(seconds: number) {
  const all = Math.round(seconds * 100);
  const [minutes, rest] = [Math.floor(all / 6000), all % 6000];
  return `${minutes}:${(rest / 100).toFixed(rest % 10 === 0 ? 1 : 2).padStart(rest % 10 === 0 ? 4 : 5, '0')}`;
}
