import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { mails } from '../db/schema.ts';
import { DUE_IMMEDIATELY, createJobQueue } from '../jobs/job-table.ts';

/** A mail to one user. */
export type Mail = {
  kind: (typeof mails.$inferInsert)['kind'];
  userId: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /** Page where the recipient turns off such mails. It also accepts the one-click requests of RFC 8058. */
  unsubscribeUrl?: string;
  /** Idempotency key of the request that caused it, for {@link wasMailQueued}. */
  clientId?: string | null;
};

/** Channel that notifies workers of new mail. The table is authoritative. */
export const MAIL_CHANNEL = 'mail';

/**
 * Queues a mail that is sent once the transaction has committed, so that the mail and its cause are atomic.
 * @param notBefore by the program's clock
 */
export async function queueMail(tx: Db, mail: Mail, notBefore = DUE_IMMEDIATELY): Promise<void> {
  await tx.insert(mails).values({ ...mail, dueAt: notBefore });
  await tx.execute(sql`select pg_notify(${MAIL_CHANNEL}, '')`);
}

/** Returns whether a mail with this idempotency key was queued before, within the month for which mails are kept. */
export async function wasMailQueued(tx: Db, userId: string, clientId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.clientId, clientId)))
    .limit(1);
  return rows.length > 0;
}

/** Redirects mails that are still queued to another address, because the old one may belong to a stranger. */
export const redirectQueuedMail = (tx: Db, userId: string, kind: Mail['kind'], recipient: string) =>
  tx
    .update(mails)
    .set({ recipient })
    .where(and(eq(mails.userId, userId), eq(mails.kind, kind), eq(mails.status, 'queued')));

/**
 * Deletes mails that nobody has received: those in the outbox, whose files the next maintenance removes, and those
 * given up.
 */
export const deleteUndeliveredMail = (tx: Db, userId: string, kind: Mail['kind']) =>
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

export const createMailJobs = (db: Db) =>
  createJobQueue(db, mails, { open: isQueued, order: [mails.dueAt, mails.id], lastError: mails.lastError });

/** A mail leased by a worker. */
export type DueMail = NonNullable<Awaited<ReturnType<ReturnType<typeof createMailJobs>['take']>>>;

/** Column values that erase a mail's content once it has settled. */
export const ERASED_CONTENT = { text: null, html: null, unsubscribeUrl: null };

/**
 * Marks a mail as delivered, even if its lease has passed to another worker, and erases its content in the same
 * statement.
 * @returns false if the mail is gone because its user was deleted
 */
export async function markDelivered(db: Db, id: number, now: Date, outboxFile: string | null) {
  const rows = await db
    .update(mails)
    .set({ ...ERASED_CONTENT, status: 'delivered', lastError: null, settledAt: now, outboxFile })
    .where(and(eq(mails.id, id), isQueued))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/** Marks a mail as permanently failed, and erases its content in the same statement. */
export const markUndeliverable = (db: Db, mail: DueMail, now: Date, reason: string) =>
  db
    .update(mails)
    .set({ ...ERASED_CONTENT, status: 'undeliverable', lastError: reason, settledAt: now })
    .where(createMailJobs(db).isOurs(mail));
