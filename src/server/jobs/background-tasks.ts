import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type BackgroundTaskRunner = ReturnType<typeof createBackgroundTaskRunner>;

/**
 * Creates a runner for work that is done after the response. The work starts after a random delay, so that
 * the timing of the response and of the next requests doesn't reveal whether there was any work.
 * @param withinMs maximum delay
 */
export function createBackgroundTaskRunner(withinMs: number) {
  const running = new Set<Promise<void>>();
  let waiting = new AbortController();
  return {
    /**
     * Schedules work.
     * @param work must handle its own errors and never reject
     */
    add(work: () => Promise<void>): void {
      const done = sleep(randomInt(withinMs), undefined, { signal: waiting.signal })
        .catch(() => undefined)
        .then(work)
        .finally(() => running.delete(done));
      running.add(done);
    },

    /** Starts all waiting work immediately. Resolves when all work is done. */
    async idle(): Promise<void> {
      waiting.abort();
      waiting = new AbortController();
      await Promise.all(running);
    },
  };
}
