import { AppError, type ErrorCode } from '#shared/errors.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { DUE_IMMEDIATELY, type LeasedJob, type Postponement } from './job-queue.ts';
import { createSleeper } from './sleeper.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * Duration of a lease. It is short, so that a dead worker's job becomes available soon. A running worker renews
 * its lease, because a job may take half an hour.
 */
const LEASE_MS = 3 * MINUTE_MS;
const LEASE_RENEWAL_MS = MINUTE_MS;

export type JobWorker = ReturnType<typeof createJobWorker>;

type WorkerQueue<J extends LeasedJob> = {
  /** Name of the queue in the log and the metrics. */
  name: string;
  jobs: {
    leaseNext(now: Date, lease: Date): Promise<J | null>;
    renew(job: LeasedJob, lease: Date): Promise<void>;
    postpone(job: LeasedJob, next: Postponement): Promise<void>;
    nextDue(now: Date): Promise<Date | null>;
    endLeases(now: Date, lease: Date): Promise<void>;
    countOpen(most: number): Promise<number>;
  };
  /** Maximum polling interval. Workers poll because a notification may be missed or a clock may be changed. */
  pollMs: number;
  /** Maximum number of concurrent jobs in one process. */
  maxConcurrent?: number;
  /** Grace period for jobs in flight at shutdown. After that, they are aborted and released. */
  drainMs?: number;
  /** Subscribes to notifications of new jobs, which wake the worker before its next poll. */
  onNew?(wake: () => void): { stop(): Promise<void> };
  /**
   * Processes a job.
   * @param signal aborted if the job is still running `drainMs` after `stop` was called
   */
  work(job: J, signal: AbortSignal): Promise<unknown>;
  /**
   * Decides what happens after a failure.
   * @returns when to retry; null to give up on the job
   */
  retry(job: NoInfer<J>, error: unknown, now: Date): Postponement | null;
  giveUp(job: NoInfer<J>, error: unknown): Promise<unknown>;
  /** Returns the fields to log about a failed job. */
  describe(job: J, error: unknown): object;
};

/**
 * Creates a worker that processes the jobs of a queue until stopped. Jobs are rows written in the transaction
 * that causes them, so no job is lost or runs before its cause is committed. Each job is processed at least
 * once: if a worker dies before its result is committed, the job is processed again.
 */
export function createJobWorker<J extends LeasedJob>(
  queue: WorkerQueue<J>,
  { clock, log }: { clock: Clock; log: Pick<Log, 'warn'> },
) {
  const { name, jobs, pollMs, maxConcurrent = 1 } = queue;
  const ending = new AbortController();
  const pause = createSleeper();
  const inFlight = new Set<Promise<void>>();
  let isStopping = false;
  let running = Promise.resolve();
  let subscription: { stop(): Promise<void> } | undefined;

  const inFuture = (ms: number) => new Date(clock().getTime() + ms);
  const release = (job: J) => jobs.postpone(job, { dueAt: DUE_IMMEDIATELY, isCounted: false });

  /** Starts the jobs that are due, up to the limit. */
  async function startDue(): Promise<void> {
    while (inFlight.size < maxConcurrent && !isStopping) {
      const job = await jobs.leaseNext(clock(), inFuture(LEASE_MS));
      if (!job) return;
      if (isStopping) return release(job);
      const done = handle(job)
        .catch((error: unknown) =>
          log.warn({ error, queue: name }, 'a job was not settled; its lease will expire'),
        )
        .finally(() => {
          inFlight.delete(done);
          pause.wake();
        });
      inFlight.add(done);
    }
  }

  async function handle(job: J): Promise<void> {
    const renewal = setInterval(() => {
      jobs
        .renew(job, inFuture(LEASE_MS))
        .catch((error: unknown) => log.warn({ error, queue: name }, 'a lease could not be renewed'));
    }, LEASE_RENEWAL_MS);
    try {
      await queue.work(job, ending.signal);
    } catch (error) {
      await recordFailure(job, error);
    } finally {
      clearInterval(renewal);
    }
  }

  async function recordFailure(job: J, error: unknown) {
    if (ending.signal.aborted) return release(job);
    const retry = queue.retry(job, error, clock());
    const fields = { queue: name, ...queue.describe(job, error), attempts: job.attempts };
    if (retry) await jobs.postpone(job, retry);
    else await queue.giveUp(job, error);
    log.warn(fields, retry ? 'a job failed; it will be retried' : 'a job failed and was given up');
  }

  async function untilNextDue(): Promise<number> {
    const now = clock();
    const next = await jobs.nextDue(now);
    return next ? Math.min(next.getTime() - now.getTime(), pollMs) : pollMs;
  }

  async function workUntilStopped() {
    while (!isStopping) {
      let rest = pollMs;
      try {
        await startDue();
        if (inFlight.size < maxConcurrent) rest = await untilNextDue();
      } catch (error) {
        log.warn({ error, queue: name }, 'a queue could not be read; it will be retried soon');
      }
      if (!isStopping) await pause.sleep(rest);
    }
    await Promise.all(inFlight);
  }

  return {
    name,
    countOpen: jobs.countOpen,

    /** Processes all jobs that are due now, then resolves. For tests; the server uses `start`. */
    async runOnce() {
      for (;;) {
        await startDue();
        if (inFlight.size === 0) return;
        await Promise.race(inFlight);
      }
    },

    /**
     * Ends the leases of killed processes before they expire. Must be called before `start`, and only if no
     * other process can be working. Otherwise the other process's jobs would be processed twice.
     */
    takeUpLeft: () => jobs.endLeases(clock(), inFuture(LEASE_MS)),

    start() {
      subscription = queue.onNew?.(pause.wake);
      running = workUntilStopped();
    },

    /**
     * Stops taking jobs. Waits for jobs in flight. Aborts and releases those that still run after `drainMs`.
     */
    async stop(drainMs = queue.drainMs ?? 0) {
      isStopping = true;
      pause.wake();
      const deadline = setTimeout(() => ending.abort(), drainMs);
      await Promise.all([running, subscription?.stop()]);
      clearTimeout(deadline);
    },
  };
}

/** Codes of errors that are caused by the server's state, not by the job. */
const TRANSIENT_ERRORS = new Set<ErrorCode>(['unavailable', 'storage-full']);
const TRANSIENT_RETRY_MS = 10 * MINUTE_MS;

/**
 * Creates a retry policy that waits for these delays in turn and then gives up. After an error caused by the
 * server's state, the job is retried after `TRANSIENT_RETRY_MS`, and the attempt doesn't count.
 */
export const createRetryPolicy =
  (waitsMs: readonly number[]) =>
  ({ attempts }: LeasedJob, error: unknown, now: Date): Postponement | null => {
    const isCounted = !(error instanceof AppError && TRANSIENT_ERRORS.has(error.code));
    const wait = isCounted ? waitsMs[attempts - 1] : TRANSIENT_RETRY_MS;
    return wait === undefined ? null : { dueAt: new Date(now.getTime() + wait), isCounted };
  };
