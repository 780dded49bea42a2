import { AppError, type ErrorCode } from '#shared/errors.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { pauses } from './pauses.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** A job may take half an hour: its lease is renewed, so that a dead worker's returns soon. */
const LEASE_MS = 3 * MINUTE_MS;
const RENEW_MS = MINUTE_MS;

/** These say nothing about the sound, so that they do not count. */
const CIRCUMSTANCES = new Set<ErrorCode>(['unavailable', 'storage-full']);
const AFTER_CIRCUMSTANCES_MS = 10 * MINUTE_MS;

/** A job with the attempts so far, this one included. */
type Job = { attempts: number };

type Queue<J extends Job> = {
  /** What a job is, for the log: 'a copy of a sound'. */
  what: string;
  /** How often the queue is asked. */
  pollMs: number;
  /** After each failure; after the last, the job is given up. */
  retriesMs: readonly number[];
  /** Leases what is due; null while nothing is. */
  take: (now: Date, lease: Date) => Promise<J | null>;
  renew: (job: J, lease: Date) => Promise<unknown>;
  /** @param signal aborted when the worker stops */
  work: (job: J, signal: AbortSignal) => Promise<unknown>;
  /** @param next when it is due again, and how many attempts count then */
  postpone: (job: J, next: { dueAt: Date; attempts: number }) => Promise<unknown>;
  giveUp: (job: J) => Promise<unknown>;
  /** What the log names a job by. */
  nameOf: (job: J) => object;
};

/**
 * Works on the jobs of a queue about sounds, one at a time. Any number of workers, each in a process of its own, share a
 * queue.
 */
export function jobWorker<J extends Job>(
  queue: Queue<J>,
  { clock, log }: { clock: Clock; log: Pick<Log, 'warn'> },
) {
  const ending = new AbortController();
  const pause = pauses();
  let working = Promise.resolve();

  const inAWhile = (ms: number) => new Date(clock().getTime() + ms);

  /** @returns whether there was a job */
  async function handleOne(): Promise<boolean> {
    const job = await queue.take(clock(), inAWhile(LEASE_MS));
    if (!job) return false;
    const renewal = setInterval(() => {
      queue
        .renew(job, inAWhile(LEASE_MS))
        .catch((error: unknown) => log.warn({ error }, `the lease of ${queue.what} could not be renewed`));
    }, RENEW_MS);
    try {
      await queue.work(job, ending.signal);
    } catch (error) {
      await recordFailure(job, error);
    } finally {
      clearInterval(renewal);
    }
    return true;
  }

  async function recordFailure(job: J, error: unknown) {
    const { attempts } = job;
    if (ending.signal.aborted) return queue.postpone(job, { dueAt: new Date(0), attempts: attempts - 1 });
    const name = queue.nameOf(job);
    if (error instanceof AppError && CIRCUMSTANCES.has(error.code)) {
      log.warn({ error, ...name }, `working on ${queue.what} has to wait`);
      return queue.postpone(job, { dueAt: inAWhile(AFTER_CIRCUMSTANCES_MS), attempts: attempts - 1 });
    }
    log.warn({ error, ...name, attempts }, `working on ${queue.what} failed`);
    const wait = queue.retriesMs[attempts - 1];
    return wait === undefined ? queue.giveUp(job) : queue.postpone(job, { dueAt: inAWhile(wait), attempts });
  }

  async function workUntilStopped() {
    while (!ending.signal.aborted) {
      try {
        if (await handleOne()) continue;
      } catch (error) {
        log.warn({ error, queue: queue.what }, 'working on a queue failed; it will be retried soon');
      }
      if (!ending.signal.aborted) await pause.next(queue.pollMs);
    }
  }

  return {
    /** Does all that is due now, and resolves. For tests; `start` keeps doing it. */
    async runOnce() {
      while (await handleOne());
    },

    start() {
      working = workUntilStopped();
    },

    /** Gives up what is under way; the next start does it again. */
    async stop() {
      ending.abort();
      pause.end();
      await working;
    },
  };
}
