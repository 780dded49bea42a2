import type { Passage } from './loop.ts';

/**
 * The parts of the player that a melody's words need: to know which line is sung, and to go to one. All times in
 * seconds.
 */
export type PracticeClock = {
  /** The position in the melody. Constant during a pause, and at the loop's beginning during 'your turn'. */
  now(): number;
  /** Whether sound is playing, so that `now()` advances; false while buffering, and during 'your turn'. */
  isPlaying(): boolean;
  /** Whether it was started and not paused: also while buffering, and during 'your turn'. */
  isOn(): boolean;
  /** Seconds of the melody per second of real time: 0.5 to 1.5. */
  rate(): number;
  /**
   * Notifies of every change but the passing of time: play, pause, a seek, a loop, the rate. Between two calls, `now()`
   * advances evenly, so a listener may set a timer for the next line. Returns a function that unsubscribes.
   */
  subscribe(listener: () => void): () => void;
  /** Seconds, as precisely as known so far; 0 while unknown. */
  length(): number;
  /** The active loop, the same object for as long as it is the same; null without one. */
  loop(): Passage | null;
  /** Goes to a position, without leaving an active loop. */
  seek(seconds: number): void;
  /** Goes to a position as `seek` does, and plays from there. Must be called during a press: phones play only then. */
  playFrom(seconds: number): void;
  /**
   * Plays the line that begins there. A loop that it does not belong to is released; the player offers to restore it.
   */
  playLine(start: number): void;
  /** Loops from `a` to `b`; ignored if `b` is not after `a`. */
  setLoop(a: number, b: number): void;
  clearLoop(): void;
};
