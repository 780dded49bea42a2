import { useRef } from 'react';
import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import type { LineNotesView } from '#features/teaching-notes/web/use-line-notes.ts';
import { BackToLineButton } from '#features/lyrics/web/back-to-line-button.tsx';
import { useFollowCurrentLine } from '#features/lyrics/web/use-follow-current-line.ts';
import type { LineLoops, LoopChoice } from '#features/lyrics/web/line-loops.ts';
import { useIsPlaybackActive, useCurrentPassageIndex } from '#features/lyrics/web/current-passage.ts';
import { useShownLayers } from '#features/lyrics/web/shown-layers.ts';
import { SungLines } from '#features/lyrics/web/sung-lines.tsx';
import type { TimedText } from '#features/lyrics/web/use-timed-text.ts';
import type { LyricsScale } from '#features/lyrics/web/lyrics-scale.ts';

/** A melody's words, how they are shown, and loops made from their lines. */
export type PracticeLyrics = {
  text: TimedText;
  loops: LineLoops;
  size: LyricsScale;
  /** The teacher's notes on lines; null until loaded, or if there are none. */
  notes: LineNotesView | null;
};

type PracticeTextProps = {
  words: PracticeLyrics;
  /** Null if there is no audio to follow. */
  clock: PracticeTransport | null;
};

/**
 * The words to sing from. Timed lines are highlighted while they are sung, play when pressed, and loop after a
 * long press.
 */
export function PracticeText({ words: { text, loops, size, notes }, clock }: PracticeTextProps) {
  const { verses, passages, starts, present } = text;
  const { choice, looped } = loops;
  const shown = useShownLayers(present);
  const list = useRef<HTMLDivElement>(null);
  const currentLine = passages[useCurrentPassageIndex(clock, passages)]?.index ?? -1;
  const isChoosing = choice.step !== 'none';
  const { hasLeft, resume } = useFollowCurrentLine(
    list,
    clock,
    isChoosing ? -1 : currentLine,
    `${size} ${[...shown].join(' ')} ${notes !== null}`,
  );
  const isOn = useIsPlaybackActive(clock);
  const isTimed = clock !== null && passages.length > 0;

  const press = (index: number) => {
    // Makes the words follow playback again. The press may have scrolled them slightly, and scrolling stops
    // them from following.
    if (!isChoosing) resume();
    const start = starts.get(index);
    if (!loops.chooseLine(index) && start !== undefined) clock?.playLine(start);
  };
  const loop = (index: number) => {
    resume();
    loops.loopLine(index);
  };
  const actions = {
    press,
    verb: actionVerbs[choice.step],
    loop: isChoosing ? null : loop,
    toggleLoop: loops.toggleLine,
  };

  return (
    <div
      className="practice-words group/words mx-auto max-w-225"
      {...(!isOn && { 'data-paused': '' })}
      // Set only if needed, because the page's content security policy forbids the style attribute that server
      // rendering adds.
      {...(size !== 1 && { style: { '--words-size': size } as React.CSSProperties })}
    >
      <SungLines
        {...{ verses, shown, starts, currentIndex: currentLine, notes }}
        listRef={list}
        looped={choice.step === 'last' ? { from: choice.from, to: choice.from } : looped}
        actions={isTimed ? actions : null}
      />
      {hasLeft && <BackToLineButton onPress={resume} />}
    </div>
  );
}

const actionVerbs: Record<LoopChoice['step'], string> = {
  none: 'Play from',
  first: 'Start the loop at',
  last: 'End the loop at',
};
