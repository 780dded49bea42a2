import type { ConnectionSettings, Db } from '../db/database.ts';
import type { Clock } from '../clock.ts';
import { listenOnChannel } from '../db/listening.ts';
import { createJobWorker } from '../jobs/worker.ts';
import { describeErrorForLog, type Log } from '../log.ts';
import { MailDeliveryError, type MailTransport } from './mail-transport.ts';
import { MAIL_CHANNEL, createMailJobQueue, markMailDelivered, markMailUndeliverable } from './queue.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Timeout of one attempt to deliver an email. */
const ATTEMPT_TIMEOUT_MS = 120 * SECOND_MS;

/** Maximum number of emails that a process sends concurrently. */
const MAX_CONCURRENT_MAILS = 3;

const POLL_MS = 15 * SECOND_MS;

/** Grace period for deliveries in flight at shutdown. */
const DRAIN_TIMEOUT_MS = 10 * SECOND_MS;

type Deps = {
  db: Db;
  connection: ConnectionSettings;
  delivery: MailTransport;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

/** Creates a worker that delivers the emails in the queue. */
export function createMailWorker({ db, connection, delivery, clock, log }: Deps) {
  return createJobWorker(
    {
      name: 'mails',
      jobs: createMailJobQueue(db),
      pollMs: POLL_MS,
      maxConcurrent: MAX_CONCURRENT_MAILS,
      drainMs: DRAIN_TIMEOUT_MS,
      onNew: (wake) => listenOnChannel(MAIL_CHANNEL, connection, { onNotice: wake, onBegin: wake }, log),

      async work(mail, stopping) {
        const signal = AbortSignal.any([stopping, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
        const { outboxFile } = await delivery.deliver(mail, signal);
        const isKept = await markMailDelivered(db, mail.id, clock(), outboxFile);
        if (outboxFile && !isKept) await delivery.retract(outboxFile);
      },

      retry(mail, error, now) {
        const { isFinal, message } = toDeliveryError(error);
        const dueAt = isFinal ? null : getNextAttempt(mail, now);
        return dueAt && { dueAt, set: { lastError: message } };
      },

      giveUp: (mail, error) => markMailUndeliverable(db, mail, clock(), toDeliveryError(error).message),

      // Content and recipient are left out of the log, because they are private.
      describe: ({ id, kind }, error) => ({
        ...{ mail: id, kind },
        cause: describeErrorForLog(toDeliveryError(error).cause).message,
      }),
    },
    { clock, log },
  );
}

/**
 * Returns the error if it is a delivery failure. Rethrows any other error, such as a database failure or a
 * bug; the email's lease then expires.
 */
function toDeliveryError(error: unknown): MailDeliveryError {
  if (error instanceof MailDeliveryError) return error;
  throw error;
}

/**
 * Age at which the worker gives up on an email, if it has made at least `MIN_ATTEMPTS` attempts to send it.
 */
const GIVE_UP_AFTER_MS = 24 * HOUR_MS;

/**
 * Minimum number of attempts before the worker gives up on an email, because a program that was stopped for
 * days has not tried at all.
 */
const MIN_ATTEMPTS = 4;

/** Delays after failed attempts to send. The last delay applies to all later attempts. */
const RETRY_DELAYS_MS = [30 * SECOND_MS, ...[1, 2, 5, 10, 30, 60].map((minutes) => minutes * MINUTE_MS)];

/**
 * Maximum jitter, as a share of the delay. It shortens delays, so that emails that failed together are not
 * retried together.
 */
const JITTER = 0.2;

type AttemptedMail = { attempts: number; createdAt: Date };

/**
 * Returns when to retry an email; null to give up on it. Shortens a delay that would end after
 * `GIVE_UP_AFTER_MS`, so that one attempt is made at that time.
 * @param random from 0 to 1
 */
function getNextAttempt(
  { attempts, createdAt }: AttemptedMail,
  now: Date,
  random = Math.random(),
): Date | null {
  const end = createdAt.getTime() + GIVE_UP_AFTER_MS;
  const isOver = now.getTime() >= end;
  if (isOver && attempts >= MIN_ATTEMPTS) return null;
  const wait = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0]!;
  const next = now.getTime() + wait * (1 - JITTER * random);
  return new Date(isOver ? next : Math.min(next, end));
}
