import { setTimeout as sleep } from 'node:timers/promises';

/** Runs a task repeatedly, waiting this long after each run. */
export function runRepeatedly(
  run: () => Promise<unknown>,
  everyMs: number,
  onError: (error: unknown) => void,
) {
  const ending = new AbortController();
  const { signal } = ending;
  const running = (async () => {
    while (!signal.aborted) {
      await run().catch(onError);
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    /** Stops repeating. Resolves when the run in progress has ended. */
    stop() {
      ending.abort();
      return running;
    },
  };
}
