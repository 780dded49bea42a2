import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { mails } from '../db/schema.ts';
import { AT_ONCE, jobsIn } from '../jobs/job-table.ts';

/** What is sent, and to which user. */
export type Mail = {
  kind: (typeof mails.$inferInsert)['kind'];
  userId: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** The page where its reader switches such mails off; its address takes the one click of RFC 8058. */
  unsubscribeUrl?: string;
  /** The idempotency key of what asked for it, for {@link wasQueued}. */
  clientId?: string | null;
};

/** Notifies workers of new mail on this channel; the table is authoritative. */
export const MAIL_CHANNEL = 'mail';

/**
 * Queues a mail, to be sent once the transaction has committed: the mail and its cause are atomic.
 * @param notBefore by the program's clock
 */
export async function queueMail(tx: Db, mail: Mail, notBefore = AT_ONCE): Promise<void> {
  await tx.insert(mails).values({ ...mail, dueAt: notBefore });
  await tx.execute(sql`select pg_notify(${MAIL_CHANNEL}, '')`);
}

/** Whether what asked for a mail with this key has asked before; within the month for which mails are remembered. */
export async function wasQueued(tx: Db, userId: string, clientId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.clientId, clientId)))
    .limit(1);
  return rows.length > 0;
}

/** Sends what was not sent yet to another address: the one before may be a stranger's. */
export const redirectQueued = (tx: Db, userId: string, kind: Mail['kind'], recipient: string) =>
  tx
    .update(mails)
    .set({ recipient })
    .where(and(eq(mails.userId, userId), eq(mails.kind, kind), eq(mails.status, 'queued')));

/** Takes away what nobody has got: mails in the outbox, whose files go with the next upkeep, and those given up. */
export const withdrawWaiting = (tx: Db, userId: string, kind: Mail['kind']) =>
  tx
    .delete(mails)
    .where(
      and(
        eq(mails.userId, userId),
        eq(mails.kind, kind),
        or(isNotNull(mails.outboxFile), eq(mails.status, 'undeliverable')),
      ),
    );

const isQueued = eq(mails.status, 'queued');

export const mailJobs = (db: Db) =>
  jobsIn(db, mails, { open: isQueued, order: [mails.dueAt, mails.id], lastError: mails.lastError });

/** A mail leased by a worker. */
export type DueMail = NonNullable<Awaited<ReturnType<ReturnType<typeof mailJobs>['take']>>>;

/** What a mail said, once it has settled. */
export const ERASED = { text: null, html: null, unsubscribeUrl: null };

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
export const settleUndeliverable = (db: Db, mail: DueMail, now: Date, reason: string) =>
  db
    .update(mails)
    .set({ ...ERASED, status: 'undeliverable', lastError: reason, settledAt: now })
    .where(mailJobs(db).isOurs(mail));
