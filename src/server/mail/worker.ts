import type { Connection, Db } from '../db/database.ts';
import type { Clock } from '../clock.ts';
import { listenOn } from '../db/listening.ts';
import { describeError, type Log } from '../log.ts';
import { pauses } from '../jobs/pauses.ts';
import { DeliveryFailure, type Delivery } from './delivery.ts';
import {
  endLeases,
  releaseLease,
  nextDue,
  settleDelivered,
  settleUndeliverable,
  takeDue,
  tryLater,
  type DueMail,
} from './due.ts';
import { MAIL_CHANNEL } from './queue.ts';
import { nextTry } from './schedule.ts';

const SECOND_MS = 1000;

/** Timeout of an attempt, so that a mail is settled or released within its lease. */
const TRY_MS = 120 * SECOND_MS;
const LEASE_MS = TRY_MS + 60 * SECOND_MS;
const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** How many mails a process sends at once. */
const CONCURRENCY = 3;

/** The longest polling interval: notifications may be missed, and clocks may be set. */
const POLL_MS = 15 * SECOND_MS;

/** At shutdown, attempts in flight have this long; then they are released. */
const DRAIN_MS = 10 * SECOND_MS;

type Deps = { db: Db; delivery: Delivery; clock: Clock; log: Pick<Log, 'info' | 'warn'> };

/** Takes mails from the queue and delivers them. Any number of workers, in one process or several, share a queue. */
export function mailWorker({ db, delivery, clock, log }: Deps) {
  const ending = new AbortController();
  const pause = pauses();
  let isEnding = false;
  let workers: Promise<void>[] = [];
  let listening: { stop(): Promise<void> } | null = null;

  /** @returns whether a mail was handled, so that there may be another */
  async function handleOne(): Promise<boolean> {
    const now = clock();
    const mail = await takeDue(db, now, leaseFrom(now));
    if (!mail) return false;
    if (isEnding) {
      await releaseLease(db, mail);
      return false;
    }
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(TRY_MS)]);
    try {
      const { outboxFile } = await delivery.deliver(mail, signal);
      const isKept = await settleDelivered(db, mail.id, clock(), outboxFile);
      if (outboxFile && !isKept) await delivery.retract(outboxFile);
    } catch (error) {
      if (!(error instanceof DeliveryFailure)) throw error;
      if (ending.signal.aborted) await releaseLease(db, mail);
      else await recordFailure(mail, error);
    }
    return true;
  }

  async function recordFailure(mail: DueMail, failure: DeliveryFailure) {
    const now = clock();
    const next = failure.isFinal ? null : nextTry(mail, now);
    if (next) await tryLater(db, mail, next, failure.message);
    else await settleUndeliverable(db, mail, now, failure.message);
    // Logged by id: the content and the recipient must not be logged.
    const { id, kind, attempts } = mail;
    const cause = describeError(failure.cause).message;
    if (next) log.warn({ mail: id, kind, attempts, cause }, 'a mail was not delivered; it will be retried');
    else log.warn({ mail: id, kind, attempts, cause }, 'a mail could not be delivered');
  }

  /** How long there is nothing to do, according to the queue. */
  async function untilNextDue(): Promise<number> {
    const now = clock();
    const next = await nextDue(db, now);
    return next ? Math.min(next.getTime() - now.getTime(), POLL_MS) : POLL_MS;
  }

  async function deliverUntilStopped() {
    while (!isEnding) {
      let rest = POLL_MS;
      try {
        if (await handleOne()) continue;
        rest = await untilNextDue();
      } catch (error) {
        log.warn({ error }, 'working on the mail queue failed; it will be retried soon');
      }
      if (!isEnding) await pause.next(rest);
    }
  }

  return {
    /** Delivers everything that is due now, and resolves. For tests; `start` keeps doing it. */
    async runOnce() {
      const untilNoneIsDue = async () => {
        while (await handleOne());
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, untilNoneIsDue));
    },

    /**
     * Releases at once the leases of a process that was killed, instead of when they expire. To be called before
     * `start`, and only if no other process can be sending: its mails would be sent twice.
     */
    async takeUpLeft() {
      const now = clock();
      await endLeases(db, now, leaseFrom(now));
    },

    start(connection: Connection) {
      // Only wakes a worker early; mail queued while nobody listened is found by polling.
      const wake = pause.end;
      listening = listenOn(MAIL_CHANNEL, connection, { onNotice: wake, onBegin: wake }, log);
      workers = Array.from({ length: CONCURRENCY }, deliverUntilStopped);
    },

    /** Takes no more mail; attempts in flight are finished, or released after a while. */
    async stop(drainMs = DRAIN_MS) {
      isEnding = true;
      pause.end();
      const deadline = setTimeout(() => ending.abort(), drainMs);
      await Promise.all([...workers, listening?.stop()]);
      clearTimeout(deadline);
    },
  };
}
