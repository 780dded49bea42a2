import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { mails } from '../db/schema.ts';
import { DUE_IMMEDIATELY, createJobQueue } from '../jobs/job-queue.ts';

/** An email to one user. */
export type Mail = {
  kind: (typeof mails.$inferInsert)['kind'];
  userId: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  /**
   * URL of the page where the recipient can turn off emails of this kind. It also accepts the one-click
   * requests of RFC 8058.
   */
  unsubscribeUrl?: string;
  /** Idempotency key of the request that caused the email, for {@link wasMailQueued}. */
  clientId?: string | null;
};

/** Channel that notifies workers of new emails. Notifications may be lost, so workers also poll the table. */
export const MAIL_CHANNEL = 'mail';

/**
 * Queues an email, which is sent after the transaction has committed, so that the email and the change that it
 * reports are atomic.
 * @param notBefore earliest time to send it, by the program's clock
 */
export async function queueMail(tx: Db, mail: Mail, notBefore = DUE_IMMEDIATELY): Promise<void> {
  await tx.insert(mails).values({ ...mail, dueAt: notBefore });
  await tx.execute(sql`select pg_notify(${MAIL_CHANNEL}, '')`);
}

/**
 * Returns whether an email with this idempotency key has been queued before; false for an email that was
 * delivered more than a month ago, because its row has been deleted.
 */
export async function wasMailQueued(tx: Db, userId: string, clientId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.clientId, clientId)))
    .limit(1);
  return rows.length > 0;
}

/** Changes the recipient of emails that are still queued, because the old address may belong to a stranger. */
export const redirectQueuedMail = (tx: Db, userId: string, kind: Mail['kind'], recipient: string) =>
  tx
    .update(mails)
    .set({ recipient })
    .where(and(eq(mails.userId, userId), eq(mails.kind, kind), eq(mails.status, 'queued')));

/**
 * Deletes emails that nobody has received: undeliverable ones, and those in the outbox, whose files are removed
 * by the next maintenance.
 */
export const deleteUndeliverableAndOutboxMail = (tx: Db, userId: string, kind: Mail['kind']) =>
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

export const createMailJobQueue = (db: Db) =>
  createJobQueue(db, mails, { open: isQueued, order: [mails.dueAt, mails.id], lastError: mails.lastError });

/** An email leased by a worker. */
export type LeasedMail = NonNullable<Awaited<ReturnType<ReturnType<typeof createMailJobQueue>['leaseNext']>>>;

/** Column values that erase the content of a settled email. */
export const ERASED_MAIL_CONTENT = { text: null, html: null, unsubscribeUrl: null };

/**
 * Marks an email as delivered, even if another worker holds the lease by now, and erases its content in the
 * same statement.
 * @returns true if the email was queued, or if another worker had delivered it to the same outbox file; false
 * otherwise, for example because it was deleted together with its user
 */
export async function markMailDelivered(db: Db, id: number, now: Date, outboxFile: string | null) {
  const rows = await db
    .update(mails)
    .set({ ...ERASED_MAIL_CONTENT, status: 'delivered', lastError: null, settledAt: now, outboxFile })
    .where(and(eq(mails.id, id), or(isQueued, outboxFile ? eq(mails.outboxFile, outboxFile) : undefined)))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/**
 * Marks an email as undeliverable, unless the lease was lost, and erases its content in the same statement.
 */
export const markMailUndeliverable = (db: Db, mail: LeasedMail, now: Date, reason: string) =>
  db
    .update(mails)
    .set({ ...ERASED_MAIL_CONTENT, status: 'undeliverable', lastError: reason, settledAt: now })
    .where(createMailJobQueue(db).isOurs(mail));
