import { and, desc, eq, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { mails, users } from '#server/db/schema.ts';
import { displayName } from '#shared/display-name.ts';
import { pageById } from '#server/db/page.ts';
import { MAILS_PAGE } from '../limits.ts';

const columns = {
  id: mails.id,
  kind: mails.kind,
  recipient: mails.recipient,
  user: { firstName: users.firstName, lastName: users.lastName, username: users.username },
  subject: mails.subject,
  createdAt: mails.createdAt,
};

const isDelayed = and(eq(mails.status, 'queued'), isNotNull(mails.lastError));
const isUntroubled = and(eq(mails.status, 'queued'), isNull(mails.lastError));
const isUndeliverable = eq(mails.status, 'undeliverable');
const isInOutbox = isNotNull(mails.outboxFile);

/** Lists undeliverable mails, newest first. */
export async function listUndeliverable(db: Db, before?: number) {
  const rows = await troubled(db, and(isUndeliverable, olderThan(before))).limit(MAILS_PAGE + 1);
  return pageById(rows.map(named), MAILS_PAGE, await db.$count(mails, isUndeliverable));
}

/** Lists mails that are still being retried, newest first. */
export async function listDelayed(db: Db, before?: number) {
  const rows = await troubled(db, and(isDelayed, olderThan(before))).limit(MAILS_PAGE + 1);
  return pageById(rows.map(named), MAILS_PAGE, await db.$count(mails, isDelayed));
}

export async function findNewestDelayed(db: Db) {
  const [row] = await troubled(db, isDelayed).limit(1);
  return row ? named(row) : null;
}

/** Returns ids of mails that can be sent again, newest first. */
export async function idsToSend(
  db: Db,
  which: 'outbox' | 'undeliverable',
  before: number | undefined,
  most: number,
) {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(which === 'outbox' ? isInOutbox : isUndeliverable, olderThan(before)))
    .orderBy(desc(mails.id))
    .limit(most);
  return rows.map(({ id }) => id);
}

const named = <Row extends { user: Parameters<typeof displayName>[0] }>({ user, ...mail }: Row) => ({
  ...mail,
  name: displayName(user),
});

const troubled = (db: Db, where: SQL | undefined) =>
  db
    .select({ ...columns, reason: sql<string>`coalesce(${mails.lastError}, '')` })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(where)
    .orderBy(desc(mails.id));

/** True for mail to a teacher: another teacher who read it could take over that account. */
const isHidden = sql<boolean>`${users.role} = 'admin'`;

/**
 * Lists mails in the outbox, newest first.
 * @param withQueued includes queued mails, which still contain their text
 */
export async function listOutbox(db: Db, withQueued: boolean, before?: number) {
  const rows = await db
    .select({ ...columns, isHidden })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(inOutbox(withQueued), olderThan(before)))
    .orderBy(desc(mails.id))
    .limit(MAILS_PAGE + 1);
  return pageById(rows.map(named), MAILS_PAGE, await db.$count(mails, inOutbox(withQueued)));
}

/**
 * Lists readable mails in the outbox, newest first, each with its text or the file that contains it.
 * @param withQueued as for {@link listOutbox}
 */
export const listReadable = (db: Db, withQueued: boolean, before?: number) =>
  db
    .select({ ...columns, outboxFile: mails.outboxFile, text: mails.text })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(inOutbox(withQueued), sql`not ${isHidden}`, olderThan(before)))
    .orderBy(desc(mails.id))
    .limit(MAILS_PAGE);

/** @param withQueued as for {@link listOutbox} */
export async function findInOutbox(db: Db, withQueued: boolean, id: number) {
  const [mail] = await db
    .select({ ...columns, isHidden, outboxFile: mails.outboxFile, text: mails.text })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(inOutbox(withQueued), eq(mails.id, id)));
  return mail ?? null;
}

const inOutbox = (withQueued: boolean) => (withQueued ? or(isInOutbox, isUntroubled) : isInOutbox);
const olderThan = (id: number | undefined) => (id === undefined ? undefined : lt(mails.id, id));

/** @param withQueued as for {@link listOutbox} */
export async function countMails(db: Db, withQueued: boolean) {
  const [row] = await db
    .select({
      undeliverable: db.$count(mails, isUndeliverable),
      delayed: db.$count(mails, isDelayed),
      outbox: db.$count(mails, inOutbox(withQueued)),
    })
    .from(sql`(select 1) as once`);
  return row!;
}

/** Counts up to `most`, so that the cost does not grow with the number of mails. */
export const countFailed = (db: Db, most: number) =>
  db.$count(db.select({ id: mails.id }).from(mails).where(isUndeliverable).limit(most).as('failed'));

export async function outboxFiles(db: Db) {
  const rows = await db.select({ outboxFile: mails.outboxFile }).from(mails).where(isInOutbox);
  return new Set(rows.map((row) => row.outboxFile));
}

/**
 * Locks the mail until the transaction ends. Locks the user first, as deleting a user with all mails does: another
 * order could deadlock.
 */
export async function lockMail(tx: Db, id: number) {
  const [owner] = await tx.select({ userId: mails.userId }).from(mails).where(eq(mails.id, id));
  if (!owner) return null;
  await tx.select({ id: users.id }).from(users).where(eq(users.id, owner.userId)).for('update');
  const [mail] = await tx
    .select({
      kind: mails.kind,
      userId: mails.userId,
      status: mails.status,
      outboxFile: mails.outboxFile,
      createdAt: mails.createdAt,
    })
    .from(mails)
    .where(eq(mails.id, id))
    .for('update');
  return mail ?? null;
}

export const deleteMail = (db: Db, id: number) => db.delete(mails).where(eq(mails.id, id));

/** @returns false if the mail is not undeliverable */
export async function deleteUndeliverable(db: Db, id: number) {
  const rows = await db
    .delete(mails)
    .where(and(eq(mails.id, id), isUndeliverable))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/**
 * Takes a mail off the outbox list.
 * @returns the mail with its file, or null if it was not listed
 */
export async function leaveOutbox(tx: Db, id: number) {
  const [mail] = await tx
    .select({ ...columns, isHidden, outboxFile: mails.outboxFile })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(eq(mails.id, id), isInOutbox))
    .for('update', { of: mails });
  if (!mail) return null;
  await tx.update(mails).set({ outboxFile: null }).where(eq(mails.id, id));
  return mail;
}

export const deleteDeliveredBefore = (db: Db, before: Date) =>
  db
    .delete(mails)
    .where(and(eq(mails.status, 'delivered'), isNull(mails.outboxFile), lt(mails.settledAt, before)));
