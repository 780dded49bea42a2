import { clsx } from 'clsx';
import { Repeat } from 'lucide-react';
import { memo, type MouseEvent, type ReactNode, type RefObject, useState, type ClipboardEvent } from 'react';
import { formatDuration } from '#web/ui/format-duration.ts';
import { KeyCap } from '#web/ui/key-cap.tsx';
import { type SungLine, type TextLine, type Verse, getLineWords } from '../parse.ts';
import type { Layer } from '../tags.ts';
import { useLongPress } from './use-long-press.ts';

/** Notes that another feature shows next to the lines of a text. */
export type LineNotesRenderer = {
  hasNotes(line: number): boolean;
  /** @param line index of the sung line */
  render(line: number, shown: { words: string; isCurrent: boolean; isSilent: boolean }): ReactNode;
};

/** Actions for lines that have a time. */
export type LineActions = {
  /** Describes `press` in a label: 'Play from', 'Start the loop at'. */
  verb: string;
  press: (index: number) => void;
  /** Loops only this line; null while the user is choosing the lines of a loop. */
  loop: ((index: number) => void) | null;
  /** Loops only this line, or clears the loop if this line is already looped. */
  toggleLoop: (index: number) => void;
};

type SungLinesProps = {
  verses: readonly Verse[];
  shown: ReadonlySet<Layer>;
  listRef?: RefObject<HTMLDivElement | null>;
  /** Index of the line being sung. */
  currentIndex?: number;
  /** Start times in seconds, by index of the sung line. Lines without a start can't be pressed. */
  starts?: ReadonlyMap<number, number>;
  /** The first and the last line of the loop. */
  looped?: { from: number; to: number } | null;
  actions?: LineActions | null;
  notes?: LineNotesRenderer | null;
  /** Whether a recording is in progress, so that nothing may play now. */
  isSilent?: boolean;
};

/**
 * The words of a melody, line by line. The pronunciation is shown in upper case but stored as typed.
 * Translations keep their case.
 */
export function SungLines(props: SungLinesProps) {
  const {
    verses,
    listRef,
    currentIndex = -1,
    looped = null,
    actions = null,
    notes = null,
    isSilent = false,
  } = props;
  const { pressedElement, handlers } = useLongPress(
    (target) => (actions?.loop && !isOnNote(target) ? target.closest('[data-timed]') : null),
    (line) => {
      if (getSelection()?.isCollapsed !== false) actions?.loop?.(getLineIndex(line));
    },
  );
  const heldIndex = pressedElement ? getLineIndex(pressedElement) : -1;
  const total = verses.at(-1)?.at(-1)?.index ?? 0;
  return (
    <div
      ref={listRef}
      className="sung-text grid gap-8 font-serif"
      onCopy={(event) => copyAsTyped(event, verses)}
      {...(actions?.loop && handlers)}
    >
      {verses.map((verse) => {
        const [first, last] = [verse[0]!.index, verse.at(-1)!.index];
        const within = (index: number) => (index >= first && index <= last ? index : -1);
        // Passes each verse only the state of its own lines. Otherwise, all verses of a long text would
        // re-render with each sung line.
        return (
          <VerseLines
            key={first}
            verse={verse}
            shown={props.shown}
            starts={props.starts}
            {...{ actions, notes, isSilent }}
            total={total + 1}
            currentIndex={within(currentIndex)}
            held={within(heldIndex)}
            loopedFrom={looped && looped.from <= last && looped.to >= first ? looped.from : Infinity}
            loopedTo={looped?.to ?? -1}
          />
        );
      })}
    </div>
  );
}

/** Returns whether the press is on a note. Such a press must not play the line. */
const isOnNote = (target: Element) => target.closest('[data-note]') !== null;

const getLineIndex = (line: Element) => Number((line as HTMLElement).dataset['timed']);

type VerseLinesProps = {
  verse: Verse;
  shown: ReadonlySet<Layer>;
  starts: ReadonlyMap<number, number> | undefined;
  actions: LineActions | null;
  notes: LineNotesRenderer | null;
  isSilent: boolean;
  total: number;
  currentIndex: number;
  held: number;
  loopedFrom: number;
  loopedTo: number;
};

const VerseLines = memo(function VerseLines(props: VerseLinesProps) {
  const { verse, shown, starts, actions, notes, isSilent, total, currentIndex, held, loopedFrom, loopedTo } =
    props;
  return (
    <ol className="grid gap-3">
      {verse.map((line) => (
        <Line
          key={line.index}
          {...{ line, shown, actions, notes, isSilent, total }}
          start={starts?.get(line.index) ?? null}
          isCurrent={line.index === currentIndex}
          isHeld={line.index === held}
          isLooped={line.index >= loopedFrom && line.index <= loopedTo}
          isLoop={line.index === loopedFrom && line.index === loopedTo}
        />
      ))}
    </ol>
  );
});

type LineProps = {
  line: SungLine;
  shown: ReadonlySet<Layer>;
  start: number | null;
  total: number;
  isCurrent: boolean;
  isHeld: boolean;
  /** Whether the line is one of the loop's lines. */
  isLooped: boolean;
  /** Whether the line is the loop's only line. */
  isLoop: boolean;
  actions: LineActions | null;
  notes: LineNotesRenderer | null;
  isSilent: boolean;
};

function Line(props: LineProps) {
  const { line, shown, start, total, isCurrent, isHeld, isLooped, isLoop, actions, notes, isSilent } = props;
  const parts = line.parts.filter(({ layer }) => shown.has(layer));
  const canPress = start !== null && actions !== null;
  const hasNotes = notes?.hasNotes(line.index) ?? false;
  const pressWords = (event: MouseEvent) => {
    const { target } = event;
    const isOnButton = target instanceof Element && (target.closest('button') || isOnNote(target));
    // Ignores a press that ends a text selection, because it is meant for copying, not for playing.
    if (canPress && !isOnButton && getSelection()?.isCollapsed !== false) actions.press(line.index);
  };
  return (
    <li
      aria-current={isCurrent || undefined}
      {...(canPress && { 'data-timed': line.index })}
      onClick={pressWords}
      className={clsx(
        'sung-line relative rounded-lg border-2 transition-colors duration-150',
        // In the player, leaves as much space below the words as the current line's buttons take above the
        // words.
        isCurrent && canPress && !hasNotes
          ? 'py-1 in-[.practice-words]:pt-0 in-[.practice-words]:pb-8'
          : isCurrent && !canPress
            ? 'py-3'
            : 'py-1',
        // Leaves room for the note's icon next to the words. On desktops, the line is only as wide as its
        // words.
        hasNotes && !isCurrent
          ? 'ps-2 pe-11 in-[.practice-words]:ps-11 sm:not-in-[.practice-words]:ps-4 desk:in-[.practice-words]:mx-auto desk:in-[.practice-words]:w-fit desk:in-[.practice-words]:max-w-full desk:in-[.practice-words]:min-w-96'
          : 'px-2 sm:px-4',
        isHeld ? 'border-saffron' : isLooped && !isCurrent ? 'border-line' : 'border-transparent',
        canPress && 'cursor-pointer',
      )}
    >
      {canPress && <LineHead {...{ line, start, total, isCurrent, isLoop, actions }} />}
      {/* Stacked above the button that covers the line, so that the words can be selected. */}
      <div className="relative min-w-0">
        {/* A line that has none of the chosen layers shows all of its layers, so that no sung line is hidden. */}
        {(parts.length > 0 ? parts : line.parts).map((part) => (
          <LayerWords key={part.line} part={part} />
        ))}
      </div>
      {hasNotes && notes?.render(line.index, { words: getLineWords(line), isCurrent, isSilent })}
    </li>
  );
}

type LineHeadProps = Pick<LineProps, 'line' | 'total' | 'isCurrent' | 'isLoop'> & {
  start: number;
  actions: LineActions;
};

/**
 * The buttons of a line: a button with its time, visible while the line is sung, and a button that loops the
 * line, in the upper right corner.
 */
function LineHead({ line, start, total, isCurrent, isLoop, actions }: LineHeadProps) {
  // Keeps this line's focused button rendered while the next line is sung, so that focus is not lost.
  const [isFocused, setIsFocused] = useState(false);
  const words = getLineWords(line);
  const { press, toggleLoop } = actions;
  return (
    <div
      className={clsx('font-sans normal-case', isCurrent ? 'flex min-h-11 items-center' : 'absolute inset-0')}
    >
      {isCurrent && (
        <span aria-hidden="true" className={clsx(noteClasses, 'ps-1 max-desk:hidden')}>
          Line {line.index + 1} of {total} ·
        </span>
      )}
      <button
        type="button"
        onClick={() => press(line.index)}
        aria-label={`${actions.verb} “${words}”, ${formatDuration(start)}`}
        aria-keyshortcuts="l"
        className={clsx(
          'flex min-h-11 min-w-11 items-center rounded-sm px-1 tabular-nums outline-none after:pointer-events-none',
          'focus-visible:after:absolute focus-visible:after:-inset-0.5 focus-visible:after:rounded-lg focus-visible:after:outline-3 focus-visible:after:outline-offset-2 focus-visible:after:outline-lapis',
        )}
      >
        <span className={clsx(noteClasses, !isCurrent && 'opacity-0')}>{formatDuration(start)}</span>
      </button>
      {isCurrent && (
        <span aria-hidden="true" className={clsx(noteClasses, 'hidden group-data-paused/words:inline')}>
          · Paused
        </span>
      )}
      {(isCurrent || isFocused) && actions.loop && (
        <div
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
          className="absolute -end-0.5 -top-0.5 flex"
        >
          <button
            type="button"
            aria-pressed={isLoop}
            aria-keyshortcuts="l"
            onClick={() => toggleLoop(line.index)}
            className={clsx(
              'inline-flex min-h-11 items-center gap-2 rounded-tr-lg rounded-bl-lg border-2 border-saffron-ink px-3 text-sm font-semibold',
              isLoop
                ? 'forced-highlight bg-saffron-ink text-saffron-ground'
                : 'text-saffron-ink hover:bg-surface',
            )}
          >
            <Repeat className="size-5" />
            {isLoop ? 'Looping' : 'Loop line'}
            <span className="sr-only">“{words}”</span>
            <span aria-hidden="true" className="pointer-coarse:hidden max-desk:hidden">
              <KeyCap>L</KeyCap>
            </span>
          </button>
        </div>
      )}
    </div>
  );
}

const noteClasses = 'text-xs font-semibold text-saffron-ink';

function LayerWords({ part: { layer, lang, line, words } }: { part: TextLine }) {
  return (
    <p
      data-line={line}
      {...(lang && { lang })}
      {...(layer === 'translation' && { dir: 'auto' })}
      className={layerClasses[layer]}
    >
      {words}
    </p>
  );
}

const layerClasses: Record<Layer, string> = {
  tibetan: 'sung-tibetan',
  phonetics: 'sung-phonetics',
  translation: 'sung-translation preserve-case',
};

/**
 * Copies the text as it was typed. Browsers copy the displayed text, which is in upper case. A selection of
 * several lines would also lose its tags and the blank lines between verses.
 */
function copyAsTyped(event: ClipboardEvent<HTMLElement>, verses: readonly Verse[]) {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  const selected = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')]
    .map((element) => ({ line: Number(element.dataset.line), words: getSelectedWords(element, range) }))
    .filter(({ words }) => words !== '');
  if (selected.length === 0) return;

  const typed = new Map(
    verses.flatMap((verse, place) =>
      verse.flatMap(({ parts }) => parts.map((part) => [part.line, { ...part, verse: place }] as const)),
    ),
  );
  const text = selected.map(({ line, words }, i) => {
    const part = typed.get(line);
    const before = typed.get(selected[i - 1]?.line ?? -1);
    const isWhole = selected.length > 1 && words === part?.words;
    const gap = i === 0 ? '' : before?.verse === part?.verse ? '\n' : '\n\n';
    return gap + (isWhole && part ? part.raw.trim() : words);
  });
  event.clipboardData.setData('text/plain', text.join(''));
  event.preventDefault();
}

function getSelectedWords(element: HTMLElement, selected: Range): string {
  if (!selected.intersectsNode(element)) return '';
  const range = document.createRange();
  range.selectNodeContents(element);
  if (selected.compareBoundaryPoints(Range.START_TO_START, range) > 0)
    range.setStart(selected.startContainer, selected.startOffset);
  if (selected.compareBoundaryPoints(Range.END_TO_END, range) < 0)
    range.setEnd(selected.endContainer, selected.endOffset);
  return range.toString();
}
