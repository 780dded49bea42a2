import { useMemo, useState, useSyncExternalStore } from 'react';
import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import { findLoopedLines, type SungLineStart, findLoopOverLines } from '../timings.ts';

/** State of choosing a loop by its first and last line. */
export type LoopChoice = { step: 'none' } | { step: 'first' } | { step: 'last'; from: number };

/** The first and last line of the player's loop, whether it was set by lines or by points. */
export type LoopedLines = { from: number; to: number };

const NONE: LoopChoice = { step: 'none' };

export type LineLoops = ReturnType<typeof useLineLoops>;

export function useLineLoops(clock: PracticeTransport | null, passages: readonly SungLineStart[]) {
  const [choice, setChoice] = useState<LoopChoice>(NONE);
  const { loop, end } = useClockLoop(clock);
  const looped: LoopedLines | null = useMemo(
    () => loop && findLoopedLines(passages, loop, end),
    [loop, passages, end],
  );
  const isLooped = (index: number) => looped?.from === index && looped.to === index;

  /**
   * Loops and plays the section from one line to the other.
   * @returns false if the lines do not form a section
   */
  const loopLines = (one: number, other: number) => {
    const stretch = findLoopOverLines(passages, one, other, end);
    if (!clock || !stretch) return false;
    setChoice(NONE);
    clock.setLoop(stretch.a, stretch.b);
    clock.playFrom(stretch.a);
    return true;
  };

  return {
    choice,
    looped,
    isLooped,
    begin: () => setChoice({ step: 'first' }),
    cancel: () => setChoice(NONE),
    /**
     * Uses the line as the first or last line of the loop that is being chosen.
     * @returns false if no loop is being chosen
     */
    chooseLine(index: number): boolean {
      if (choice.step === 'none') return false;
      if (choice.step === 'first') setChoice({ step: 'last', from: index });
      else loopLines(choice.from, index);
      return true;
    },
    loopLine: (index: number) => void loopLines(index, index),
    /** Loops only this line, or clears the loop if it already consists of only this line. */
    toggleLine: (index: number) => (isLooped(index) ? clock?.clearLoop() : void loopLines(index, index)),
  };
}

/**
 * Returns the player's loop and duration (Infinity if unknown). Subscribes to the player instead of storing
 * the loop here, because other controls can also set or clear it.
 */
function useClockLoop(clock: PracticeTransport | null) {
  const subscribe = (listener: () => void) => clock?.subscribe(listener) ?? (() => undefined);
  return {
    loop: useSyncExternalStore(subscribe, () => clock?.loop() ?? null, getNoLoop),
    end: useSyncExternalStore(subscribe, () => clock?.length() || Infinity, getNoEnd),
  };
}

const getNoLoop = () => null;
const getNoEnd = () => Infinity;
