import type { Clock } from './player-environment.ts';

/** Timers may fire late, so the position is polled near the end of the loop. */
const LAST_STRETCH_MS = 150;
const LOOK_EVERY_MS = 4;
/** Close enough to count as the end, because the next check would come later. */
const NEAR_ENOUGH_MS = 1.5;
/** A loop shorter than a timer's resolution must not block the page. */
const SHORTEST_WAIT_MS = 1;
/** Firefox updates `currentTime` only about every 50 ms during playback. */
const LONGEST_STEP_MS = 60;

type LoopTimerOptions = {
  clock: Clock;
  /** Position reported by the element, in seconds. */
  position(): number;
  /** End in seconds; null while there is no end to wait for. */
  end(): number | null;
  rate(): number;
  onEnd(): void;
};

/**
 * Detects the end of a loop: waits for as long as the audio should take, checks the position, and waits again. The
 * element's own `timeupdate` fires only four times a second, which is a tenth of a second too late on average.
 */
export function createLoopTimer({ clock, position, end, rate, onEnd }: LoopTimerOptions) {
  let callOff: (() => void) | null = null;
  /** The last position read, and when it was first read. */
  let seen: { position: number; at: number; moves: boolean } | null = null;

  function aim(): void {
    callOff?.();
    callOff = null;
    const to = end();
    if (to === null) {
      seen = null;
      return;
    }
    const wait = ((to - steadyPosition()) / rate()) * 1000;
    if (wait <= NEAR_ENOUGH_MS) return onEnd();
    const next = wait > LAST_STRETCH_MS ? wait - LAST_STRETCH_MS : Math.min(wait, LOOK_EVERY_MS);
    callOff = clock.after(Math.max(SHORTEST_WAIT_MS, next), aim);
  }

  /** Extrapolates between two steps of a coarsely reported position, but only once it has been seen to change. */
  function steadyPosition(): number {
    const [read, now] = [position(), clock.now()];
    if (seen?.position !== read) seen = { position: read, at: now, moves: seen !== null };
    return seen.moves ? read + (Math.min(now - seen.at, LONGEST_STEP_MS) / 1000) * rate() : read;
  }

  function stop(): void {
    callOff?.();
    callOff = null;
  }

  return { aim, stop };
}
