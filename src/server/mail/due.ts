import { and, eq, gt, isNull, lte, min, or, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { mails } from '../db/schema.ts';
import { AT_ONCE } from './queue.ts';

const columns = {
  id: mails.id,
  kind: mails.kind,
  recipient: mails.recipient,
  subject: mails.subject,
  text: mails.text,
  html: mails.html,
  unsubscribeUrl: mails.unsubscribeUrl,
  attempts: mails.attempts,
  createdAt: mails.createdAt,
  /** When the lease on the mail expires. */
  lease: mails.dueAt,
};

/** A mail leased by a worker. */
export type DueMail = Awaited<ReturnType<typeof takeDue>> & {};

/** What a mail said, once it has settled. */
export const ERASED = { text: null, html: null, unsubscribeUrl: null };
const isQueued = eq(mails.status, 'queued');

/**
 * Leases the mail that has been due longest; if the worker dies, the mail falls due again when the lease expires.
 * @returns null if none is due that nobody else has leased
 */
export async function takeDue(db: Db, now: Date, lease: Date) {
  const due = sql`(select id from mails
    where status = 'queued' and due_at <= ${now}
    order by due_at, id limit 1 for update skip locked)`;
  const [taken] = await db
    .update(mails)
    .set({ dueAt: lease, attempts: sql`${mails.attempts} + 1` })
    .where(eq(mails.id, due))
    .returning(columns);
  return taken ?? null;
}

/**
 * Releases the leases of dead workers, for when no other process can be running. A mail that was taken and never failed
 * is certainly one of theirs. One that failed before is recognized only by a due time within one lease from now, as
 * have mails waiting shortly for their retry: those are retried a little early.
 * @param lease when a lease taken now would expire
 */
export async function endLeases(db: Db, now: Date, lease: Date) {
  await db
    .update(mails)
    .set({ dueAt: AT_ONCE })
    .where(
      and(
        isQueued,
        gt(mails.attempts, 0),
        or(isNull(mails.lastError), and(gt(mails.dueAt, now), lte(mails.dueAt, lease))),
      ),
    );
}

/** When the next mail falls due that is not due now: deferred, waiting for its retry, or left by a dead worker. */
export async function nextDue(db: Db, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: min(mails.dueAt) })
    .from(mails)
    .where(and(isQueued, gt(mails.dueAt, now)));
  return row?.at ?? null;
}

/**
 * Marks it delivered, whoever holds the lease by now, and erases its content in the same statement.
 * @returns false if the mail is gone because its user was deleted meanwhile
 */
export async function settleDelivered(db: Db, id: number, now: Date, outboxFile: string | null) {
  const rows = await db
    .update(mails)
    .set({ ...ERASED, status: 'delivered', lastError: null, settledAt: now, outboxFile })
    .where(and(eq(mails.id, id), isQueued))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/** Marks it failed for good, and erases its content in the same statement. */
export async function settleUndeliverable(db: Db, mail: DueMail, now: Date, reason: string) {
  await db
    .update(mails)
    .set({ ...ERASED, status: 'undeliverable', lastError: reason, settledAt: now })
    .where(isStillOurs(mail));
}

export async function tryLater(db: Db, mail: DueMail, dueAt: Date, reason: string) {
  await db.update(mails).set({ dueAt, lastError: reason }).where(isStillOurs(mail));
}

/** Releases the lease: the mail is due again, as if never taken. */
export async function releaseLease(db: Db, mail: DueMail) {
  await db
    .update(mails)
    .set({ dueAt: AT_ONCE, attempts: sql`${mails.attempts} - 1` })
    .where(isStillOurs(mail));
}

// Once the lease has expired, another worker may hold it: then the outcome of our attempt must not be recorded.
const isStillOurs = (mail: DueMail) => and(eq(mails.id, mail.id), isQueued, eq(mails.dueAt, mail.lease));
