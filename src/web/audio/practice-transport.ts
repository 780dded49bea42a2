import type { ActiveLoop } from './loop.ts';

/**
 * The part of the player that a melody's text uses to highlight the current line and to seek to a line. All
 * times are in seconds.
 */
export type PracticeTransport = {
  /**
   * Returns the position in the melody. It is constant while paused. During 'your turn', the silence in which
   * the user sings the passage, it is the beginning of the loop.
   */
  now(): number;
  /**
   * Returns whether sound is playing, so that `now()` advances; false while buffering, and during 'your
   * turn'.
   */
  isPlaying(): boolean;
  /**
   * Returns whether the player was started and not paused; also true while buffering and during 'your turn'.
   */
  isOn(): boolean;
  /** Returns the playback rate: 0.5 to 1.5 seconds of the melody per second of real time. */
  rate(): number;
  /**
   * Calls `listener` on every change except the passing of time: play, pause, seek, loop and rate. Between two
   * calls, `now()` advances evenly, so a listener can set a timer for the next line. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: () => void): () => void;
  /** Returns the melody's duration as precisely as it is known; 0 while it is unknown. */
  length(): number;
  /** Returns the active loop, which is the same object until it changes; null if there is none. */
  loop(): ActiveLoop | null;
  /** Seeks to this position, or to the nearest position within the active loop. */
  seek(seconds: number): void;
  /**
   * Seeks like `seek` and plays from there. Must be called in a press handler, because phones start playback
   * only there.
   */
  playFrom(seconds: number): void;
  /**
   * Plays from the line that begins at `start`. If the line is outside the active loop, the loop is cleared,
   * and the player offers to restore it.
   */
  playLine(start: number): void;
  /** Plays from `a`. Clears a loop that doesn't contain the whole passage from `a` to `b`. */
  playPassage(a: number, b: number): void;
  /** Loops from `a` to `b`; ignored if `b` is not after `a`. */
  setLoop(a: number, b: number): void;
  clearLoop(): void;
};
