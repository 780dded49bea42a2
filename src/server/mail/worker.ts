import type { Connection, Db } from '../db/database.ts';
import type { Clock } from '../clock.ts';
import { listenOn } from '../db/listening.ts';
import { createWorker } from '../jobs/worker.ts';
import { describeError, type Log } from '../log.ts';
import { DeliveryFailure, type Delivery } from './delivery.ts';
import { MAIL_CHANNEL, mailJobs, settleDelivered, settleUndeliverable } from './queue.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Timeout of one attempt. */
const TRY_MS = 120 * SECOND_MS;

/** Maximum number of mails that a process sends at a time. */
const AT_ONCE = 3;

const POLL_MS = 15 * SECOND_MS;

/** Time for attempts in flight at shutdown. */
const DRAIN_MS = 10 * SECOND_MS;

type Deps = { db: Db; connection: Connection; delivery: Delivery; clock: Clock; log: Pick<Log, 'warn'> };

/** Creates a worker that takes mails from the queue and delivers them. */
export function mailWorker({ db, connection, delivery, clock, log }: Deps) {
  return createWorker(
    {
      name: 'mails',
      jobs: mailJobs(db),
      pollMs: POLL_MS,
      atOnce: AT_ONCE,
      drainMs: DRAIN_MS,
      onNew: (wake) => listenOn(MAIL_CHANNEL, connection, { onNotice: wake, onBegin: wake }, log),

      async work(mail, stopping) {
        const signal = AbortSignal.any([stopping, AbortSignal.timeout(TRY_MS)]);
        const { outboxFile } = await delivery.deliver(mail, signal);
        const isKept = await settleDelivered(db, mail.id, clock(), outboxFile);
        if (outboxFile && !isKept) await delivery.retract(outboxFile);
      },

      retry(mail, error, now) {
        const { isFinal, message } = failureOf(error);
        const dueAt = isFinal ? null : nextTry(mail, now);
        return dueAt && { dueAt, set: { lastError: message } };
      },

      giveUp: (mail, error) => settleUndeliverable(db, mail, clock(), failureOf(error).message),

      // Content and recipient are left out, because they must not be logged.
      describe: ({ id, kind }, error) => ({
        ...{ mail: id, kind },
        cause: describeError(failureOf(error).cause).message,
      }),
    },
    { clock, log },
  );
}

/** Returns the failure. Any other error is a bug of ours, after which the lease expires. */
function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error;
  throw error;
}

/** A mail is given up after this long … */
const GIVE_UP_AFTER_MS = 24 * HOUR_MS;

/** … but not before this many attempts, because a program that was stopped for days has not tried at all. */
const FEWEST_TRIES = 4;

/** Delays after the first failed attempt, the second, …; the last one applies to all later attempts. */
const WAITS_MS = [30 * SECOND_MS, ...[1, 2, 5, 10, 30, 60].map((minutes) => minutes * MINUTE_MS)];

/** Random jitter, so that mails that failed together are not retried together. */
const JITTER = 0.2;

type Tried = { attempts: number; createdAt: Date };

/**
 * Returns when to retry a mail that could not be delivered; null to give up. The last attempt is made when the time
 * is up, even if the backoff would be longer.
 * @param random from 0 to 1
 */
function nextTry({ attempts, createdAt }: Tried, now: Date, random = Math.random()): Date | null {
  const end = createdAt.getTime() + GIVE_UP_AFTER_MS;
  const isOver = now.getTime() >= end;
  if (isOver && attempts >= FEWEST_TRIES) return null;
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? WAITS_MS[0]!;
  const next = now.getTime() + wait * (1 - JITTER * random);
  return new Date(isOver ? next : Math.min(next, end));
}
