import { isLostConnection, pauseAskedBy } from './failed-try.ts';

const WAITS_MS = [1, 2, 4, 8, 15, 30, 60, 120, 300].map((seconds) => seconds * 1_000);

/** When to try again: after waits that grow as long as nothing arrives. */
export function createRetrySchedule(random = Math.random) {
  /** Tries since something has arrived. */
  let failures = 0;
  return {
    /** Something has arrived. */
    reset() {
      failures = 0;
    },
    /**
     * @param isAnswered whether the server has answered anything in this try
     * @returns milliseconds until the next one
     */
    after(error: unknown, isAnswered: boolean): number {
      // A connection that breaks and yet lets answers through has to be used while it is there.
      if (isLostConnection(error) && isAnswered) failures = Math.min(failures, 1);
      const pause = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0;
      failures += 1;
      return Math.max(pause * (0.75 + random() / 2), pauseAskedBy(error) * (1 + random() / 10));
    },
  };
}
