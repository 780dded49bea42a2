import { useMemo, useState, useSyncExternalStore } from 'react';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { linesOf, type Passage, stretchOf } from '../../sung-text/timings.ts';

/** State of choosing a loop by its lines: first the one where it begins, then the one where it ends. */
export type LoopChoice =
  | { step: 'none' }
  | { step: 'first' }
  | { step: 'last'; from: number }
  | { step: 'looping'; from: number; to: number };

type Choosing = Exclude<LoopChoice, { step: 'looping' }>;

const NONE: Choosing = { step: 'none' };

export function useLoopChoice(clock: PracticeClock | null, passages: readonly Passage[]) {
  const [choosing, setChoosing] = useState<Choosing>(NONE);
  const { loop, end } = useLoop(clock);
  const looped = useMemo(() => loop && linesOf(passages, loop, end), [loop, passages, end]);
  const choice: LoopChoice = choosing.step === 'none' && looped ? { step: 'looping', ...looped } : choosing;

  return {
    choice,
    toggle: () => setChoosing(choosing.step === 'none' ? { step: 'first' } : NONE),
    /** Uses the line if one is being chosen. @returns whether it did */
    take(index: number): boolean {
      if (choosing.step === 'none') return false;
      if (choosing.step === 'first') {
        setChoosing({ step: 'last', from: index });
        return true;
      }
      const stretch = stretchOf(passages, choosing.from, index, end);
      if (!clock || !stretch) return true;
      setChoosing(NONE);
      clock.setLoop(stretch.a, stretch.b);
      clock.playFrom(stretch.a);
      return true;
    },
  };
}

/** The player's own loop, so that its description is right however the loop was set or cleared. */
function useLoop(clock: PracticeClock | null) {
  const subscribe = (listener: () => void) => clock?.subscribe(listener) ?? (() => undefined);
  return {
    loop: useSyncExternalStore(subscribe, () => clock?.loop() ?? null, noLoop),
    end: useSyncExternalStore(subscribe, () => clock?.length() || Infinity, noEnd),
  };
}

const noLoop = () => null;
const noEnd = () => Infinity;
