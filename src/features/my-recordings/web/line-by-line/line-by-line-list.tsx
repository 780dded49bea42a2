import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { type LinePlayback, PLAYBACK_FAILED_MESSAGE, useLinePlayer } from './line-player.ts';
import type { MelodyLine } from '#features/line-matching/web/passages.ts';
import {
  getVoiceButtonId,
  isButtonOfLine,
  LineVoiceButtons,
  getVoicePassages,
  type LineVoice,
  type LineVoiceButtonsProps,
} from './line-voices.tsx';

export type { LineVoice };

type ShownLine = Pick<MelodyLine, 'line' | 'index' | 'words'>;

type LineByLineListProps = {
  lines: readonly ShownLine[];
  /** Recordings from which each line can be played, in display order; the teacher's comes first. */
  voices: readonly LineVoice[];
  /** Recordings from which the open line can be played, if they differ from `voices`. */
  openedVoices?: readonly LineVoice[] | undefined;
  playsInTurnClosed?: LineVoiceButtonsProps['playsInTurnClosed'];
  /** Called with the line that was opened; null if it was closed. */
  onOpen?: (line: number | null) => void;
  /** Returns what to show below the words of a line, open or closed. */
  renderMarks?: (line: number) => ReactNode;
  /** Returns what to show below the buttons of an open line. If it is undefined, lines can't be opened. */
  children?: ((line: number, hear: PlayVoice) => ReactNode) | undefined;
};

/** Plays the line from this recording and stops other playback. Must be called during a user gesture. */
export type PlayVoice = (voice: LineVoice) => void;

/** Number of lines in the first render: more than fit on a phone's screen. */
const INITIAL_LINE_COUNT = 8;

/** The lines of a melody, each playable from several recordings. Only one line is open at a time. */
export function LineByLineList({
  lines,
  voices,
  openedVoices = voices,
  onOpen,
  ...row
}: LineByLineListProps) {
  const { player, playback } = useLinePlayer();
  const [opened, setOpened] = useState<number | null>(null);
  // Defers rendering the remaining lines, so that a long list does not block a slow phone.
  const isWhole = useDeferredValue(true, false);
  const toggle = (line: number) => {
    const next = opened === line ? null : line;
    setOpened(next);
    onOpen?.(next);
  };
  return (
    <>
      <ol className="divide-y divide-line overflow-clip rounded-lg border border-line bg-surface">
        {(isWhole ? lines : lines.slice(0, INITIAL_LINE_COUNT)).map((line) => {
          const isOpen = opened === line.line;
          const hear: PlayVoice = (voice) =>
            player.play(
              getVoiceButtonId(line.line, voice.name),
              getVoicePassages(voice, line.line, line.index + 1),
            );
          return (
            <Line
              key={line.line}
              {...{ ...row, line, playback, isOpen, hear }}
              voices={isOpen ? openedVoices : voices}
              onToggle={() => toggle(line.line)}
              onPress={player.togglePassages}
            />
          );
        })}
      </ol>
      <ScreenReaderAnnouncement
        text={playback.failed === null ? (playback.voice ?? '') : PLAYBACK_FAILED_MESSAGE}
      />
    </>
  );
}

const chevronClass = 'size-5 text-soft';

type LineProps = Omit<LineVoiceButtonsProps, 'line' | 'number'> &
  Pick<LineByLineListProps, 'renderMarks' | 'children'> & {
    line: ShownLine;
    playback: LinePlayback;
    hear: PlayVoice;
    onToggle: () => void;
  };

function Line({ line: { line, index, words }, renderMarks, children, hear, onToggle, ...rest }: LineProps) {
  const number = index + 1;
  const id = useId();
  const { playback, isOpen } = rest;
  const isHeard = isButtonOfLine(playback.button, line);
  const voices = <LineVoiceButtons {...{ ...rest, line, number }} />;
  const text = (
    <>
      <span
        className={clsx(
          'w-5 shrink-0 text-sm font-semibold tabular-nums',
          isOpen || isHeard ? 'text-saffron-ink' : 'text-soft',
        )}
      >
        <span className="sr-only">Line </span>
        {number}
      </span>
      <span className={clsx('min-w-0 font-serif text-balance break-words', isOpen && 'font-semibold')}>
        <span {...getLangProps(words)} className="[&:lang(bo)]:text-lg [&:lang(bo)]:font-normal">
          {words}
        </span>
        {children && !isOpen && (
          <ChevronDown className={clsx(chevronClass, 'ms-1.5 inline align-[-0.25em]')} />
        )}
      </span>
    </>
  );
  const heading = 'flex min-h-11 min-w-0 grow basis-36 items-baseline gap-2 py-1.5 text-start';
  return (
    <li
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)] gap-1 px-3 py-1.5 sm:px-4',
        (isOpen || isHeard) && 'bg-saffron-ground',
      )}
    >
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
        {children ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
            className={clsx(heading, 'rounded-md')}
          >
            {text}
            {isOpen && (
              <ChevronDown className={clsx(chevronClass, 'ms-auto shrink-0 rotate-180 self-center')} />
            )}
          </button>
        ) : (
          <p className={heading}>{text}</p>
        )}
        {!isOpen && voices}
      </div>
      {renderMarks?.(line)}
      {isOpen && (
        <div id={id} className="grid grid-cols-[minmax(0,1fr)] gap-3 pb-2">
          {voices}
          {children?.(line, hear)}
        </div>
      )}
      {isButtonOfLine(playback.failed, line) && (
        <p className="text-sm font-semibold text-danger">{PLAYBACK_FAILED_MESSAGE}</p>
      )}
    </li>
  );
}
