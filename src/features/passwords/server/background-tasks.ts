import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Work that is done behind an answer, at a random moment: neither the answer nor the calls right after it take longer
 * where there was something to do.
 * @param withinMs the latest moment
 */
export function backgroundTasks(withinMs: number) {
  const underWay = new Set<Promise<void>>();
  let waiting = new AbortController();
  return {
    /** @param work says itself what became of it; it must not reject */
    add(work: () => Promise<void>): void {
      const done = sleep(randomInt(withinMs), undefined, { signal: waiting.signal })
        .catch(() => undefined)
        .then(work)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },

    /** Does at once what still waits. Resolves when all of it is done. */
    async idle(): Promise<void> {
      waiting.abort();
      waiting = new AbortController();
      await Promise.all(underWay);
    },
  };
}
