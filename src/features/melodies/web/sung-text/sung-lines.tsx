import { clsx } from 'clsx';
import { memo, type MouseEvent, type RefObject } from 'react';
import { duration } from '../../../../platform/web/ui/duration.ts';
import { type SungLine, type TextLine, type Verse, wordsOf } from '../../sung-text/parse.ts';
import type { Layer } from '../../sung-text/tags.ts';
import { copyTyped } from './typed-copy.ts';

type SungLinesProps = {
  verses: readonly Verse[];
  shown: ReadonlySet<Layer>;
  listRef?: RefObject<HTMLDivElement | null>;
  /** Index of the line being sung. */
  lit?: number;
  /** Seconds by sung line; lines without one can only be read. */
  starts?: ReadonlyMap<number, number>;
  /** The first and the last line of the loop. */
  looped?: { from: number; to: number } | null;
  /** What pressing a timed line does, in words: 'Play from', 'Begin the loop at'. */
  verb?: string;
  onPress?: ((index: number) => void) | undefined;
};

/** The words of a melody as they are sung: displayed in upper case but kept as typed; Tibetan unchanged. */
export function SungLines(props: SungLinesProps) {
  const { verses, listRef, lit = -1, looped = null } = props;
  return (
    <div
      ref={listRef}
      className="sung-text grid gap-8 font-serif"
      onCopy={(event) => copyTyped(event, verses)}
    >
      {verses.map((verse) => {
        const [first, last] = [verse[0]!.index, verse.at(-1)!.index];
        // A verse gets only what concerns it, so that a long text does not re-render for each line.
        return (
          <VerseLines
            key={first}
            verse={verse}
            shown={props.shown}
            starts={props.starts}
            verb={props.verb}
            onPress={props.onPress}
            lit={lit >= first && lit <= last ? lit : -1}
            loopedFrom={looped && looped.from <= last && looped.to >= first ? looped.from : Infinity}
            loopedTo={looped?.to ?? -1}
          />
        );
      })}
    </div>
  );
}

type VerseLinesProps = {
  verse: Verse;
  shown: ReadonlySet<Layer>;
  starts: ReadonlyMap<number, number> | undefined;
  verb: string | undefined;
  onPress: ((index: number) => void) | undefined;
  lit: number;
  loopedFrom: number;
  loopedTo: number;
};

const VerseLines = memo(function VerseLines({
  verse,
  shown,
  starts,
  verb = 'Play from',
  onPress,
  lit,
  loopedFrom,
  loopedTo,
}: VerseLinesProps) {
  const hasTimes = starts !== undefined && starts.size > 0;
  return (
    <ol className="grid gap-2.5">
      {verse.map((line) => (
        <Line
          key={line.index}
          {...{ line, shown, verb, hasTimes, onPress }}
          start={starts?.get(line.index) ?? null}
          isLit={line.index === lit}
          isLooped={line.index >= loopedFrom && line.index <= loopedTo}
        />
      ))}
    </ol>
  );
});

type LineProps = {
  line: SungLine;
  shown: ReadonlySet<Layer>;
  hasTimes: boolean;
  start: number | null;
  isLit: boolean;
  isLooped: boolean;
  verb: string;
  onPress: ((index: number) => void) | undefined;
};

function Line({ line, shown, hasTimes, start, isLit, isLooped, verb, onPress }: LineProps) {
  const parts = line.parts.filter(({ layer }) => shown.has(layer));
  const press = start === null || !onPress ? null : () => onPress(line.index);
  const pressWords = (event: MouseEvent) => {
    const isOnButton = event.target instanceof Element && event.target.closest('button');
    // A press that ends a selection is meant for copying.
    if (press && !isOnButton && getSelection()?.isCollapsed !== false) press();
  };
  return (
    <li
      aria-current={isLit || undefined}
      onClick={pressWords}
      className={clsx(
        'rounded-md border-s-4 py-1 ps-2 pe-2 transition-colors duration-150 sm:ps-3',
        hasTimes && 'grid grid-cols-[3.25rem_minmax(0,1fr)] items-start gap-x-2 sm:gap-x-3',
        isLit ? 'border-saffron bg-saffron-ground' : isLooped ? 'border-saffron' : 'border-transparent',
        press && 'cursor-pointer',
      )}
    >
      {hasTimes && <LineTime {...{ start, press, isLit }} name={`${verb} “${wordsOf(line)}”`} />}
      <div className="min-w-0">
        {/* A line that has none of the chosen layers shows the ones it has, so that no sung line is hidden. */}
        {(parts.length > 0 ? parts : line.parts).map((part) => (
          <Words key={part.line} part={part} />
        ))}
      </div>
    </li>
  );
}

type LineTimeProps = { start: number | null; press: (() => void) | null; isLit: boolean; name: string };

/** The time in the margin, like the numbers in a printed text; it is the button of its line. */
function LineTime({ start, press, isLit, name }: LineTimeProps) {
  if (start === null) return <span />;
  return (
    <button
      type="button"
      disabled={!press}
      onClick={press ?? undefined}
      aria-label={`${name}, ${duration(start)}`}
      className={clsx(
        'min-h-11 rounded-md px-1 text-end font-sans text-xs tabular-nums enabled:hover:bg-sunk',
        isLit ? 'font-semibold text-saffron-ink' : 'text-soft',
      )}
    >
      {duration(start)}
    </button>
  );
}

function Words({ part: { layer, lang, line, words } }: { part: TextLine }) {
  return (
    <p
      data-line={line}
      {...(lang && { lang })}
      {...(layer === 'translation' && { dir: 'auto' })}
      className={looks[layer]}
    >
      {words}
    </p>
  );
}

const looks: Record<Layer, string> = {
  tibetan: 'sung-tibetan',
  phonetics: 'text-lg leading-[1.8]',
  translation: 'as-written text-base leading-[1.8] text-soft',
};
