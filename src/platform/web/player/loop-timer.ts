import type { Clock } from './player-environment.ts';

/** Timers may come late by this much; the last stretch is measured anew. */
const LAST_STRETCH_MS = 60;
/** So near is there: the next timer would come later than that. */
const NEAR_ENOUGH_MS = 1.5;
/** A loop shorter than a timer's step must not keep the page from everything else. */
const SHORTEST_WAIT_MS = 1;

type LoopTimerOptions = {
  clock: Clock;
  /** Seconds of sound until the end; null when there is none to wait for. */
  left(): number | null;
  rate(): number;
  onEnd(): void;
};

/**
 * Aims at the end of a loop: waits as long as the sound should take, measures what is left, waits again. The
 * element's own `timeupdate` comes four times a second, which is a tenth of a second too late in the middle.
 */
export function createLoopTimer({ clock, left, rate, onEnd }: LoopTimerOptions) {
  let callOff: (() => void) | null = null;

  function aim(): void {
    stop();
    const seconds = left();
    if (seconds === null) return;
    const wait = (seconds / rate()) * 1000;
    if (wait <= NEAR_ENOUGH_MS) return onEnd();
    const next = wait > LAST_STRETCH_MS ? wait - LAST_STRETCH_MS / 2 : wait;
    callOff = clock.after(Math.max(SHORTEST_WAIT_MS, next), aim);
  }

  function stop(): void {
    callOff?.();
    callOff = null;
  }

  return { aim, stop };
}
