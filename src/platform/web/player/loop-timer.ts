import type { Clock } from './player-environment.ts';

/** Timers may come late; over the last stretch the position is looked at again and again. */
const LAST_STRETCH_MS = 150;
const LOOK_EVERY_MS = 4;
/** So near is there: the next look would come later than that. */
const NEAR_ENOUGH_MS = 1.5;
/** A loop shorter than a timer's step must not keep the page from everything else. */
const SHORTEST_WAIT_MS = 1;
/** Firefox moves its `currentTime` on every 50 ms or so; in between, the sound goes on all the same. */
const LONGEST_STEP_MS = 60;

type LoopTimerOptions = {
  clock: Clock;
  /** As the element says it, in seconds. */
  position(): number;
  /** Seconds; null while there is none to wait for. */
  end(): number | null;
  rate(): number;
  onEnd(): void;
};

/**
 * Aims at the end of a loop: waits as long as the sound should take, looks where it is, waits again. The
 * element's own `timeupdate` comes four times a second, which is a tenth of a second too late in the middle.
 */
export function createLoopTimer({ clock, position, end, rate, onEnd }: LoopTimerOptions) {
  let callOff: (() => void) | null = null;
  /** What was read last, and when it was first read so. */
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

  /** Between two steps of a coarse clock, reckoned on from the last; not before it has been seen to move. */
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
