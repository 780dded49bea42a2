import { isLostConnection, getRetryAfterMs } from './upload-failures.ts';

const RETRY_DELAYS_MS = [1, 2, 4, 8, 15, 30, 60, 120, 300].map((seconds) => seconds * 1_000);

/** Creates a schedule of retries with backoff, reset when something arrives. */
export function createRetrySchedule(random = Math.random) {
  /** Failed attempts since something last arrived. */
  let failures = 0;
  return {
    /** Call this when something has arrived. */
    reset() {
      failures = 0;
    },
    /**
     * @param isAnswered whether the server has answered anything in this attempt
     * @returns milliseconds until the next attempt
     */
    after(error: unknown, isAnswered: boolean): number {
      // A connection that keeps breaking between responses must be used while it works.
      if (isLostConnection(error) && isAnswered) failures = Math.min(failures, 1);
      const pause = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0;
      failures += 1;
      return Math.max(pause * (0.75 + random() / 2), getRetryAfterMs(error) * (1 + random() / 10));
    },
  };
}
