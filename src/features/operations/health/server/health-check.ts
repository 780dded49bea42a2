import { withTimeout } from '#server/concurrency/with-timeout.ts';

export type HealthCheckResult = 'ok' | 'slow' | 'failed';

export type HealthCheck = {
  run(): Promise<HealthCheckResult>;
  /** Returns the duration of the last completed check in ms; null before the first one has completed. */
  getLatencyMs(): number | null;
};

/**
 * Timeout of a check. It is short enough that identifying the caller and the check together take less than two
 * seconds.
 */
const CHECK_TIMEOUT_MS = 900;

/** Time after which a running check counts as failed. It equals the timeout of requests to an S3 store. */
const HUNG_AFTER_MS = 5_000;

const UNCACHED = { okMs: 0, failedMs: 0 };

/**
 * Creates a check that returns after at most CHECK_TIMEOUT_MS. If `check` is still running then, it returns
 * 'slow', or 'failed' if the previous run failed or this one has taken HUNG_AFTER_MS. Concurrent callers
 * share one run, so that polling can't exhaust the connections or the threads that wait for a disk.
 * @param cache how long a result is reused, in ms
 */
export function createHealthCheck(check: () => Promise<unknown>, cache = UNCACHED): HealthCheck {
  let running: Promise<boolean> | null = null;
  let startedAt = 0;
  let last = { isOk: true, at: -Infinity };
  let latencyMs: number | null = null;

  async function run(): Promise<boolean> {
    const isOk = await check().then(
      () => true,
      () => false,
    );
    last = { isOk, at: performance.now() };
    latencyMs = last.at - startedAt;
    running = null;
    return isOk;
  }

  return {
    getLatencyMs: () => latencyMs,
    async run() {
      const now = performance.now();
      if (now - last.at < (last.isOk ? cache.okMs : cache.failedMs)) return last.isOk ? 'ok' : 'failed';
      if (!running) {
        startedAt = now;
        running = run();
      }
      const isOk = await withTimeout(CHECK_TIMEOUT_MS, running).catch(() => null);
      if (isOk === null) return last.isOk && now - startedAt < HUNG_AFTER_MS ? 'slow' : 'failed';
      return isOk ? 'ok' : 'failed';
    },
  };
}
