import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export type BackgroundTasks = ReturnType<typeof createBackgroundTasks>;

/**
 * Runs work after the response, with a random delay, so that neither the response nor the calls right after it take
 * longer if there was work to do.
 * @param withinMs the maximum delay
 */
export function createBackgroundTasks(withinMs: number) {
  const running = new Set<Promise<void>>();
  let waiting = new AbortController();
  return {
    /** @param work handles its own errors; it must not reject */
    add(work: () => Promise<void>): void {
      const done = sleep(randomInt(withinMs), undefined, { signal: waiting.signal })
        .catch(() => undefined)
        .then(work)
        .finally(() => running.delete(done));
      running.add(done);
    },

    /** Starts everything that is still waiting. Resolves when all of it is done. */
    async idle(): Promise<void> {
      waiting.abort();
      waiting = new AbortController();
      await Promise.all(running);
    },
  };
}
