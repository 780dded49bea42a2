import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { createSleeper } from '#server/jobs/sleeper.ts';
import type { HeldFeedbackService } from './held.ts';

/** Polling interval, which is also the maximum time until feedback held by a killed process is found. */
const POLL_INTERVAL_MS = 5_000;

/**
 * Creates a worker that releases held feedback when it is due. Every process runs a worker, and all workers
 * poll the database. So feedback that a killed process has stored is released by another process, or in the
 * first round after a restart.
 */
export function createHeldFeedbackWorker(deps: {
  held: Pick<HeldFeedbackService, 'releaseDue' | 'findNextDueTime' | 'onHeld'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}) {
  const { held, clock, log } = deps;
  const pause = createSleeper();
  let isEnding = false;
  let working = Promise.resolve();
  let unsubscribe = () => {};

  async function workUntilStopped() {
    while (!isEnding) {
      let pauseMs = POLL_INTERVAL_MS;
      try {
        await held.releaseDue();
        const next = await held.findNextDueTime();
        if (next) pauseMs = Math.min(POLL_INTERVAL_MS, Math.max(10, next.getTime() - clock().getTime()));
      } catch (error) {
        log.warn({ error }, 'sending out held feedback failed; it will be retried soon');
      }
      if (!isEnding) await pause.sleep(pauseMs);
    }
  }

  return {
    start() {
      const stopListening = held.onHeld(pause.wake);
      unsubscribe = () => void stopListening();
      working = workUntilStopped();
    },

    /** Stops after the current round. Another process, or the next start, releases what is still held. */
    async stop() {
      isEnding = true;
      unsubscribe();
      pause.wake();
      await working;
    },
  };
}
