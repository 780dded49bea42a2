import type { PlayerClock } from './player-environment.ts';

/** Time before the end of the loop during which the position is polled, because timers may fire late. */
const POLL_WINDOW_MS = 150;
const POLL_INTERVAL_MS = 4;
/** Remaining time at which the loop counts as ended, because the next check would come too late. */
const END_TOLERANCE_MS = 1.5;
/**
 * Minimum delay between two checks, so that a loop shorter than a timer's resolution doesn't block the page.
 */
const MIN_WAIT_MS = 1;
/**
 * Maximum time to extrapolate the position. Firefox updates `currentTime` only about every 50 ms during
 * playback.
 */
const MAX_EXTRAPOLATION_MS = 60;

type LoopTimerOptions = {
  clock: PlayerClock;
  /** Position reported by the element, in seconds. */
  position(): number;
  /** End in seconds; null while there is no end to wait for. */
  end(): number | null;
  rate(): number;
  onEnd(): void;
};

/**
 * Detects the end of a loop: waits for as long as the audio should take, checks the position, and waits again.
 * The element's own `timeupdate` fires only four times a second, so it would be a tenth of a second late on
 * average.
 */
export function createLoopTimer({ clock, position, end, rate, onEnd }: LoopTimerOptions) {
  let cancelTimer: (() => void) | null = null;
  /**
   * The last position read, and the time at which it was first read. `moves` is true once the position has
   * changed.
   */
  let lastRead: { position: number; at: number; moves: boolean } | null = null;

  function schedule(): void {
    cancelTimer?.();
    cancelTimer = null;
    const to = end();
    if (to === null) {
      lastRead = null;
      return;
    }
    const wait = ((to - extrapolatePosition()) / rate()) * 1000;
    if (wait <= END_TOLERANCE_MS) return onEnd();
    const next = wait > POLL_WINDOW_MS ? wait - POLL_WINDOW_MS : Math.min(wait, POLL_INTERVAL_MS);
    cancelTimer = clock.after(Math.max(MIN_WAIT_MS, next), schedule);
  }

  /** Extrapolates the position between two coarse updates, but only after it has changed at least once. */
  function extrapolatePosition(): number {
    const [read, now] = [position(), clock.now()];
    if (lastRead?.position !== read) lastRead = { position: read, at: now, moves: lastRead !== null };
    return lastRead.moves ? read + (Math.min(now - lastRead.at, MAX_EXTRAPOLATION_MS) / 1000) * rate() : read;
  }

  function stop(): void {
    cancelTimer?.();
    cancelTimer = null;
  }

  return { schedule, stop };
}
