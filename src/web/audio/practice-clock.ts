import type { Passage } from './loop.ts';

/**
 * The parts of the player that a melody's text needs, to show which line is sung and to seek to one. All times in
 * seconds.
 */
export type PracticeClock = {
  /** The position in the melody. Constant during a pause, and at the loop's beginning during 'your turn'. */
  now(): number;
  /** Whether sound is playing, so that `now()` advances; false while buffering, and during 'your turn'. */
  isPlaying(): boolean;
  /** Whether it was started and not paused; true also while buffering and during 'your turn'. */
  isOn(): boolean;
  /** Seconds of the melody per second of real time: 0.5 to 1.5. */
  rate(): number;
  /**
   * Notifies of every change except the passing of time: play, pause, a seek, a loop, the rate. Between two calls,
   * `now()` advances evenly, so a listener can set a timer for the next line. Returns a function that unsubscribes.
   */
  subscribe(listener: () => void): () => void;
  /** In seconds, as precise as known so far; 0 while unknown. */
  length(): number;
  /** The active loop, the same object as long as it doesn't change; null if there is none. */
  loop(): Passage | null;
  /** Seeks without leaving an active loop. */
  seek(seconds: number): void;
  /** Seeks like `seek` and plays from there. Must be called during a press, because phones play only then. */
  playFrom(seconds: number): void;
  /**
   * Plays the line that begins there. A loop that the line does not belong to is released; the player offers to
   * restore it.
   */
  playLine(start: number): void;
  /** Loops from `a` to `b`; ignored if `b` is not after `a`. */
  setLoop(a: number, b: number): void;
  clearLoop(): void;
};
