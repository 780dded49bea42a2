import { setTimeout as sleep } from 'node:timers/promises';

/** Runs a task repeatedly, with a pause after each run. */
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
    /** Stops the repetition. Resolves when the current run has ended. */
    stop() {
      ending.abort();
      return running;
    },
  };
}
