import { Repeat } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { Button } from '../../../../platform/web/ui/button.tsx';
import type { LineTiming } from '../../contract.ts';
import { type SungLine, wordsOf } from '../../sung-text/parse.ts';
import { passagesOf } from '../../sung-text/timings.ts';
import { useFollow } from './follow.ts';
import { LayerSwitches } from './layer-switches.tsx';
import { useLitPlace } from './lit-place.ts';
import { type LoopChoice, useLoopChoice } from './loop-choice.ts';
import { useSungText } from './read-only-text.tsx';
import { useShownLayers } from './shown-layers.ts';
import { SungLines } from './sung-lines.tsx';

type PracticeTextProps = {
  text: string;
  timings: readonly LineTiming[] | null;
  /** Null where there is no sound to follow. */
  clock: PracticeClock | null;
};

/** The words as they are sung: timed lines light up, play when pressed, and can be looped. */
export function PracticeText({ text, timings, clock }: PracticeTextProps) {
  const { verses, lines, present } = useSungText(text);
  const shown = useShownLayers(present);
  const passages = useMemo(() => (clock ? passagesOf(lines, timings) : []), [clock, lines, timings]);
  const starts = useMemo(() => new Map(passages.map(({ index, start }) => [index, start])), [passages]);
  const list = useRef<HTMLDivElement>(null);
  const lit = passages[useLitPlace(clock, passages)]?.index ?? -1;
  const { hasLeft, comeBack } = useFollow(list, clock, lit);
  const { choice, toggle, take } = useLoopChoice(clock, passages);
  const isTimed = clock !== null && passages.length > 0;
  const isChoosing = choice.step === 'first' || choice.step === 'last';

  const press = (index: number) => {
    const start = starts.get(index);
    if (!take(index) && clock && start !== undefined) clock.playLine(start);
  };

  return (
    <div>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <LayerSwitches present={present} shown={shown} />
        {isTimed && (
          <Button
            aria-pressed={isChoosing}
            icon={<Repeat aria-hidden="true" />}
            onClick={toggle}
            className={isChoosing ? 'border-saffron bg-saffron-ground text-saffron-ink' : undefined}
          >
            Loop lines
          </Button>
        )}
      </div>
      {isTimed && <LoopWords choice={choice} lines={lines} />}
      <SungLines
        {...{ verses, shown, starts, lit }}
        listRef={list}
        verb={verbs[choice.step]}
        looped={loopedIn(choice)}
        onPress={isTimed ? press : undefined}
      />
      {hasLeft && (
        // Beside the times on a narrow screen, since they are buttons.
        <div className="pointer-events-none sticky bottom-4 mt-4 flex justify-end ps-20 sm:justify-center sm:ps-0">
          <Button className="pointer-events-auto text-balance shadow-soft" onClick={comeBack}>
            Back to the line being sung
          </Button>
        </div>
      )}
    </div>
  );
}

const verbs: Record<LoopChoice['step'], string> = {
  none: 'Play from',
  looping: 'Play from',
  first: 'Begin the loop with',
  last: 'End the loop with',
};

const loopedIn = (choice: LoopChoice) =>
  choice.step === 'last'
    ? { from: choice.from, to: choice.from }
    : choice.step === 'looping'
      ? { from: choice.from, to: choice.to }
      : null;

function LoopWords({ choice, lines }: { choice: LoopChoice; lines: readonly SungLine[] }) {
  const named = (index: number) => `“${lines[index] ? wordsOf(lines[index]) : ''}”`;
  return (
    <p
      role="status"
      className="mb-4 rounded-md border-s-4 border-saffron bg-saffron-ground px-4 py-3 text-sm text-saffron-ink empty:hidden"
    >
      {sentenceFor(choice, named)}
    </p>
  );
}

function sentenceFor(choice: LoopChoice, named: (index: number) => string) {
  switch (choice.step) {
    case 'none':
      return null;
    case 'first':
      return 'Choose the line where the loop begins.';
    case 'last':
      return `From ${named(choice.from)}. Now choose the line where the loop ends; it may be the same.`;
    case 'looping':
      return choice.from === choice.to
        ? `Looping ${named(choice.from)}.`
        : `Looping from ${named(choice.from)} to ${named(choice.to)}.`;
  }
}
