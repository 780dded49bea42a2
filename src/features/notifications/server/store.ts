import { and, eq, max, sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mails, recordings, users } from '../../../db/schema.ts';

type Kind = (typeof mails.$inferSelect)['kind'];

const reader = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  username: users.username,
};
const wantsNews = and(users.isActive, users.wantsNewsMail);

export async function findReader(db: Db, userId: string) {
  const [row] = await db
    .select(reader)
    .from(users)
    .where(and(eq(users.id, userId), wantsNews));
  return row ?? null;
}

export const listAdminReaders = (db: Db) =>
  db
    .select(reader)
    .from(users)
    .where(and(eq(users.role, 'admin'), wantsNews));

/** Until the transaction ends nobody else decides whether this user gets such a mail. */
export const lockNews = (tx: Db, userId: string, kind: Kind) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${userId}`}, 0))`);

export async function isQueued(tx: Db, userId: string, kind: Kind) {
  const rows = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.kind, kind), eq(mails.status, 'queued')))
    .limit(1);
  return rows.length > 0;
}

/** When the last of this kind went to this user; null if none did. */
export async function lastSettled(tx: Db, userId: string, kind: Kind) {
  const [row] = await tx
    .select({ at: max(mails.settledAt) })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.kind, kind)));
  return row?.at ?? null;
}

/** Takes back what has not gone out yet. */
export const dropQueued = (tx: Db, kind: Kind, userId?: string) =>
  tx
    .delete(mails)
    .where(
      and(
        eq(mails.kind, kind),
        eq(mails.status, 'queued'),
        userId === undefined ? undefined : eq(mails.userId, userId),
      ),
    );

export async function anyPending(tx: Db) {
  const rows = await tx
    .select({ id: recordings.id })
    .from(recordings)
    .where(eq(recordings.status, 'pending'))
    .limit(1);
  return rows.length > 0;
}

export const setWantsNewsMail = (db: Db, userId: string, wantsNewsMail: boolean) =>
  db.update(users).set({ wantsNewsMail }).where(eq(users.id, userId));
