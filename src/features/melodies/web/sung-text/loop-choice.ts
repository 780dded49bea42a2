import { useEffect, useState } from 'react';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { type Passage, startOf, stretchOf } from '../../sung-text/timings.ts';

/** How a loop is chosen by its lines: first the one where it begins, then the one where it ends. */
export type LoopChoice =
  | { step: 'none' }
  | { step: 'first' }
  | { step: 'last'; from: number }
  | { step: 'looping'; from: number; to: number; a: number; b: number };

const NONE: LoopChoice = { step: 'none' };
/** Seconds that the melody may be outside of a loop at its turn. */
const TURN = 0.5;
const LOOK_EVERY_MS = 500;

export function useLoopChoice(clock: PracticeClock | null, passages: readonly Passage[], end: number) {
  const [choice, setChoice] = useState<LoopChoice>(NONE);

  // The clock does not say when its loop is cleared; that the melody goes on beyond it does.
  useEffect(() => {
    if (!clock || choice.step !== 'looping') return;
    const look = () => {
      const now = clock.now();
      if (now < choice.a - TURN || now > choice.b + TURN) setChoice(NONE);
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [clock, choice]);

  return {
    choice,
    toggle: () => setChoice(choice.step === 'none' || choice.step === 'looping' ? { step: 'first' } : NONE),
    /** Takes the line if one is being chosen. @returns whether it did */
    take(index: number): boolean {
      if (choice.step === 'first') {
        setChoice({ step: 'last', from: index });
        return true;
      }
      if (choice.step !== 'last') return false;
      const stretch = stretchOf(passages, choice.from, index, end);
      if (!clock || !stretch) return true;
      const isForward = startOf(passages, choice.from)! <= startOf(passages, index)!;
      const [from, to] = isForward ? [choice.from, index] : [index, choice.from];
      setChoice({ step: 'looping', from, to, ...stretch });
      clock.setLoop(stretch.a, stretch.b);
      clock.playFrom(stretch.a);
      return true;
    },
  };
}
