import type { Passage } from './loop.ts';

/** What the words of a melody need of its player: to know which line sounds, and to go to one. All times in seconds. */
export type PracticeClock = {
  /** The position in the melody. It stands still in a pause, and at the loop's beginning during 'your turn'. */
  now(): number;
  /** Whether sound is heard, so that `now()` moves; not while waiting for the line, nor during 'your turn'. */
  isPlaying(): boolean;
  /** Seconds of the melody per second of the day: 0.5 to 1.5. */
  rate(): number;
  /**
   * Tells of every change but the passing of time: play, pause, a seek, a loop, the rate. Between two calls
   * `now()` moves evenly, so a listener may set a timer for the next line. Answers how to leave.
   */
  subscribe(listener: () => void): () => void;
  /** Seconds, as finely as they are known by now; 0 while they are not. */
  length(): number;
  /** The loop that is played, the same object for as long as it is the same; null without one. */
  loop(): Passage | null;
  /** Goes to a position, within an active loop never out of it. */
  seek(seconds: number): void;
  /** The same, and plays from there. Call it from within a press: phones play only then. */
  playFrom(seconds: number): void;
  /** Plays what begins there. A loop that it does not belong to is let go; the player offers to take it up again. */
  playLine(start: number): void;
  /** Loops from `a` to `b`; what is not a passage (`b` not after `a`) is left aside. */
  setLoop(a: number, b: number): void;
  clearLoop(): void;
};
