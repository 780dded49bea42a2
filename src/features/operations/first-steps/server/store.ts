import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { userColumns } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import { mails, users } from '#server/db/schema.ts';

/**
 * Returns which steps are done, and whether the user dismissed them. Each check is fast, because it stops at
 * the first matching row.
 */
export async function getFirstStepsProgress(db: Db, userId: string) {
  const [row] = await db
    .select({
      isDismissed: users.dismissedFirstSteps,
      levels: sql<boolean>`exists (select from user_transmission_access)
        or exists (select from audit_log where action in ('level-added', 'level-changed', 'level-deleted'))`,
      melodies: sql<boolean>`exists (select from melodies)`,
      students: sql<boolean>`exists (select from users as others where others.role = 'student')`,
      mailed: sql<boolean>`exists (select from mails where mails.status = 'delivered' and mails.outbox_file is null)`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return row!;
}

export async function findLastTestMail(db: Db, userId: string) {
  const [row] = await db
    .select({ status: mails.status, reason: mails.lastError })
    .from(mails)
    .where(isTestOfUser(userId))
    .orderBy(desc(mails.id))
    .limit(1);
  return row ?? null;
}

export async function countTestMails(tx: Db, userId: string, since: Date) {
  const [row] = await tx
    .select({ count: count() })
    .from(mails)
    .where(and(isTestOfUser(userId), gt(mails.createdAt, since)));
  return row!.count;
}

/**
 * Matches the user's test emails. Excludes those in the outbox folder, because they prove nothing about a mail
 * server.
 */
const isTestOfUser = (userId: string) =>
  and(eq(mails.userId, userId), eq(mails.kind, 'test-mail'), isNull(mails.outboxFile));

export async function lockUser(tx: Db, userId: string) {
  const [user] = await tx.select(userColumns).from(users).where(eq(users.id, userId)).for('no key update');
  return user ?? null;
}

/**
 * Records that the user has dismissed the first steps. Doesn't change `updatedAt`, because the user's own
 * details have not changed.
 */
export const dismissFirstSteps = (db: Db, userId: string) =>
  db
    .update(users)
    .set({ dismissedFirstSteps: true, updatedAt: sql`updated_at` })
    .where(eq(users.id, userId));
