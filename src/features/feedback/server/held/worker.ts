import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { pauses } from '#server/jobs/pauses.ts';
import type { HeldFeedback } from './held.ts';

/** Maximum time until feedback held by a killed process is found. */
const POLL_MS = 5_000;

/**
 * Releases held feedback once it is due. Every process runs one. Polling finds the feedback of a process that was
 * killed; after a restart, the first round finds it at once.
 */
export function heldFeedbackWorker(deps: {
  held: Pick<HeldFeedback, 'releaseDue' | 'nextDue' | 'onHeld'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}) {
  const { held, clock, log } = deps;
  const pause = pauses();
  let isEnding = false;
  let working = Promise.resolve();
  let leave = () => {};

  async function workUntilStopped() {
    while (!isEnding) {
      let rest = POLL_MS;
      try {
        await held.releaseDue();
        const next = await held.nextDue();
        if (next) rest = Math.min(POLL_MS, Math.max(10, next.getTime() - clock().getTime()));
      } catch (error) {
        log.warn({ error }, 'sending out held feedback failed; it will be retried soon');
      }
      if (!isEnding) await pause.next(rest);
    }
  }

  return {
    start() {
      const stopListening = held.onHeld(pause.end);
      leave = () => void stopListening();
      working = workUntilStopped();
    },

    /** Stops releasing. Feedback held then is released after the next start. */
    async stop() {
      isEnding = true;
      leave();
      pause.end();
      await working;
    },
  };
}
