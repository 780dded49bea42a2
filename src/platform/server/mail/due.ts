import { and, eq, gt, isNull, lte, min, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mails } from '../../../db/schema.ts';
import { AT_ONCE } from './queue.ts';

const columns = {
  id: mails.id,
  kind: mails.kind,
  recipient: mails.recipient,
  subject: mails.subject,
  text: mails.text,
  html: mails.html,
  attempts: mails.attempts,
  createdAt: mails.createdAt,
  /** Until when the mail is its taker's. */
  lease: mails.dueAt,
};

/** A mail that a worker has taken. */
export type DueMail = Awaited<ReturnType<typeof takeDue>> & {};

const ERASED = { text: null, html: null };
const isQueued = eq(mails.status, 'queued');

/**
 * Takes the mail that is due longest, until the lease ends: whoever dies with it in hand gives it back by that alone.
 * @returns null when none is due that nobody else has taken
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
 * Makes due what its takers died with, for where no other process can be at work. Taken and never failed is surely such
 * a mail. One that has failed before is known only by a due time within a lease from now, which it shares with mails
 * that wait so shortly to be tried again: those are tried a little early.
 * @param lease when one that was taken now would end
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

/** When the next one falls due that is not due now: deferred, to be tried again, or left by a worker that died. */
export async function nextDue(db: Db, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: min(mails.dueAt) })
    .from(mails)
    .where(and(isQueued, gt(mails.dueAt, now)));
  return row?.at ?? null;
}

/**
 * It has arrived, whoever holds it by now; what it said is erased in the same statement.
 * @returns false when the mail is gone, as it is when its user was deleted meanwhile
 */
export async function settleDelivered(db: Db, id: number, now: Date, outboxFile: string | null) {
  const rows = await db
    .update(mails)
    .set({ ...ERASED, status: 'delivered', lastError: null, settledAt: now, outboxFile })
    .where(and(eq(mails.id, id), isQueued))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/** It will not arrive; what it said is erased in the same statement. */
export async function settleUndeliverable(db: Db, mail: DueMail, now: Date, reason: string) {
  await db
    .update(mails)
    .set({ ...ERASED, status: 'undeliverable', lastError: reason, settledAt: now })
    .where(isStillOurs(mail));
}

export async function tryLater(db: Db, mail: DueMail, dueAt: Date, reason: string) {
  await db.update(mails).set({ dueAt, lastError: reason }).where(isStillOurs(mail));
}

/** As if it had never been taken: it was due, and is. */
export async function giveBack(db: Db, mail: DueMail) {
  await db
    .update(mails)
    .set({ dueAt: AT_ONCE, attempts: sql`${mails.attempts} - 1` })
    .where(isStillOurs(mail));
}

// A lease that has run out may be another worker's by now: what became of our try is then not ours to say.
const isStillOurs = (mail: DueMail) => and(eq(mails.id, mail.id), isQueued, eq(mails.dueAt, mail.lease));
