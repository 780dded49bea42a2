import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { pauses } from '#server/jobs/pauses.ts';
import type { HeldFeedback } from './held.ts';

/** The longest time until what another process held before it was killed is found. */
const POLL_MS = 5_000;

/**
 * Sends out held feedback once it is due. Each process has one; who holds nothing itself finds by polling what a killed
 * one has left, and the first after a restart finds it at once.
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

    /** What is held then goes out after the next start. */
    async stop() {
      isEnding = true;
      leave();
      pause.end();
      await working;
    },
  };
}
