import { isLostConnectionError, getRetryAfterMs } from './upload-failures.ts';

const RETRY_DELAYS_MS = [1, 2, 4, 8, 15, 30, 60, 120, 300].map((seconds) => seconds * 1_000);

/** Creates a retry schedule with backoff, which is reset when data arrives. */
export function createRetrySchedule(random = Math.random) {
  /** Number of failed attempts since data last arrived. */
  let failures = 0;
  return {
    /** Call this when data has arrived. */
    reset() {
      failures = 0;
    },
    /**
     * Records a failed attempt.
     * @param isAnswered whether the server has sent any response in this attempt
     * @returns milliseconds until the next attempt
     */
    after(error: unknown, isAnswered: boolean): number {
      // Retries soon on a connection that keeps breaking but lets some responses through, to use it while it
      // works.
      if (isLostConnectionError(error) && isAnswered) failures = Math.min(failures, 1);
      const pause = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0;
      failures += 1;
      return Math.max(pause * (0.75 + random() / 2), getRetryAfterMs(error) * (1 + random() / 10));
    },
  };
}
