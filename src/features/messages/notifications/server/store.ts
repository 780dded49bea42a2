import { and, eq, max, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { mails, recordings, users } from '#server/db/schema.ts';
import { ERASED_MAIL_CONTENT } from '#server/mail/queue.ts';

type Kind = (typeof mails.$inferSelect)['kind'];

const readerColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  username: users.username,
  newsToken: users.newsToken,
};
const wantsNews = and(users.isActive, users.wantsNewsMail);

export async function findNotificationRecipient(db: Db, userId: string) {
  const [row] = await db
    .select(readerColumns)
    .from(users)
    .where(and(eq(users.id, userId), wantsNews));
  return row ?? null;
}

export const listAdminNotificationRecipients = (db: Db) =>
  db
    .select(readerColumns)
    .from(users)
    .where(and(eq(users.role, 'admin'), wantsNews))
    .orderBy(users.id);

/**
 * Takes a lock until the transaction ends. It serializes queueing and cancelling news emails of this kind; for
 * feedback, only those to this student.
 */
export const lockNotificationQueue = (tx: Db, kind: Kind, studentId = '') =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${studentId}`}, 0))`);

export async function isNotificationQueued(tx: Db, userId: string, kind: Kind) {
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.kind, kind), eq(mails.status, 'queued')))
    .limit(1);
  return rows.length > 0;
}

/**
 * Returns when the last email of this kind to the user was settled (delivered or given up), or null if there is
 * none.
 * @param how 'delivered' counts only emails that were delivered or may have been
 */
export async function findLastNotificationEmailTime(
  tx: Db,
  userId: string,
  kind: Kind,
  how: 'settled' | 'delivered',
) {
  const [row] = await tx
    .select({ at: max(mails.settledAt) })
    .from(mails)
    .where(
      and(
        eq(mails.userId, userId),
        eq(mails.kind, kind),
        how === 'delivered' ? eq(mails.status, 'delivered') : undefined,
      ),
    );
  return row?.at ?? null;
}

/**
 * Cancels queued emails. An email that a worker has tried to send may still arrive. It is not retried and
 * counts as sent, so that no other email follows within the hour.
 */
export async function cancelQueuedNotifications(tx: Db, kind: Kind, now: Date, userId?: string) {
  const these = and(
    eq(mails.kind, kind),
    eq(mails.status, 'queued'),
    userId === undefined ? undefined : eq(mails.userId, userId),
  );
  // First deletes emails that no worker has tried to send, then settles the others. In this order, an email
  // that a worker starts to send in between is settled too.
  await tx.delete(mails).where(and(these, eq(mails.attempts, 0)));
  await tx
    .update(mails)
    .set({ ...ERASED_MAIL_CONTENT, status: 'delivered', lastError: null, settledAt: now })
    .where(these);
}

export async function hasPendingRecording(tx: Db) {
  const rows = await tx
    .select({ id: recordings.id })
    .from(recordings)
    .where(eq(recordings.status, 'pending'))
    .limit(1);
  return rows.length > 0;
}

export const setWantsNewsMail = (db: Db, userId: string, wantsNewsMail: boolean) =>
  db.update(users).set({ wantsNewsMail }).where(eq(users.id, userId));

/** Returns the id of the user whose news emails have this token in their links, or null. */
export async function findUserIdByNewsToken(db: Db, newsToken: string) {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.newsToken, newsToken));
  return row?.id ?? null;
}
