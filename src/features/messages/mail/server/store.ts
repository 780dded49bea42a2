import { and, desc, eq, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { mails, users } from '#server/db/schema.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { paginateById } from '#server/db/page.ts';
import { EMAILS_PAGE_SIZE } from '../limits.ts';

const columns = {
  id: mails.id,
  kind: mails.kind,
  recipient: mails.recipient,
  user: { firstName: users.firstName, lastName: users.lastName, username: users.username },
  subject: mails.subject,
  createdAt: mails.createdAt,
};

const isDelayed = and(eq(mails.status, 'queued'), isNotNull(mails.lastError));
const isNewlyQueued = and(eq(mails.status, 'queued'), isNull(mails.lastError));
const isUndeliverable = eq(mails.status, 'undeliverable');
const isInOutbox = isNotNull(mails.outboxFile);

/** Returns a page of undeliverable emails, newest first. */
export async function listUndeliverableMails(db: Db, before?: number) {
  const rows = await selectRefused(db, and(isUndeliverable, whereOlderThan(before))).limit(
    EMAILS_PAGE_SIZE + 1,
  );
  return paginateById(rows.map(withName), EMAILS_PAGE_SIZE, await db.$count(mails, isUndeliverable));
}

/** Returns a page of emails that are still being retried, newest first. */
export async function listDelayedMails(db: Db, before?: number) {
  const rows = await selectRefused(db, and(isDelayed, whereOlderThan(before))).limit(EMAILS_PAGE_SIZE + 1);
  return paginateById(rows.map(withName), EMAILS_PAGE_SIZE, await db.$count(mails, isDelayed));
}

export async function findNewestDelayedMail(db: Db) {
  const [row] = await selectRefused(db, isDelayed).limit(1);
  return row ? withName(row) : null;
}

/** Returns the ids of emails that can be resent, newest first. */
export async function listResendableMailIds(
  db: Db,
  which: 'outbox' | 'undeliverable',
  before: number | undefined,
  max: number,
) {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(which === 'outbox' ? isInOutbox : isUndeliverable, whereOlderThan(before)))
    .orderBy(desc(mails.id))
    .limit(max);
  return rows.map(({ id }) => id);
}

const withName = <Row extends { user: Parameters<typeof formatDisplayName>[0] }>({ user, ...mail }: Row) => ({
  ...mail,
  name: formatDisplayName(user),
});

const selectRefused = (db: Db, where: SQL | undefined) =>
  db
    .select({ ...columns, reason: sql<string>`coalesce(${mails.lastError}, '')` })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(where)
    .orderBy(desc(mails.id));

/** True for an email to a teacher. Another teacher who read it could take over that account. */
const isHidden = sql<boolean>`${users.role} = 'admin'`;

/**
 * Returns a page of emails in the outbox, newest first.
 * @param withQueued whether to include queued emails, whose text is still in the database
 */
export async function listOutboxMails(db: Db, withQueued: boolean, before?: number) {
  const rows = await db
    .select({ ...columns, isHidden })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(whereInOutbox(withQueued), whereOlderThan(before)))
    .orderBy(desc(mails.id))
    .limit(EMAILS_PAGE_SIZE + 1);
  return paginateById(
    rows.map(withName),
    EMAILS_PAGE_SIZE,
    await db.$count(mails, whereInOutbox(withQueued)),
  );
}

/**
 * Returns a page of the emails in the outbox that are not to teachers, newest first, each with its text or
 * the name of the file that contains it.
 * @param withQueued as in {@link listOutboxMails}
 */
export const listReadableOutboxMails = (db: Db, withQueued: boolean, before?: number) =>
  db
    .select({ ...columns, outboxFile: mails.outboxFile, text: mails.text })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(whereInOutbox(withQueued), sql`not ${isHidden}`, whereOlderThan(before)))
    .orderBy(desc(mails.id))
    .limit(EMAILS_PAGE_SIZE);

/** @param withQueued as in {@link listOutboxMails} */
export async function findMailInOutbox(db: Db, withQueued: boolean, id: number) {
  const [mail] = await db
    .select({ ...columns, isHidden, outboxFile: mails.outboxFile, text: mails.text })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(and(whereInOutbox(withQueued), eq(mails.id, id)));
  return mail ?? null;
}

const whereInOutbox = (withQueued: boolean) => (withQueued ? or(isInOutbox, isNewlyQueued) : isInOutbox);
const whereOlderThan = (id: number | undefined) => (id === undefined ? undefined : lt(mails.id, id));

/** @param withQueued as in {@link listOutboxMails} */
export async function countMailsNeedingAttention(db: Db, withQueued: boolean) {
  const [row] = await db
    .select({
      undeliverable: db.$count(mails, isUndeliverable),
      delayed: db.$count(mails, isDelayed),
      outbox: db.$count(mails, whereInOutbox(withQueued)),
    })
    .from(sql`(select 1) as once`);
  return row!;
}

/** Counts undeliverable emails up to `max`, so that the cost does not grow with their number. */
export const countUndeliverableMails = (db: Db, max: number) =>
  db.$count(db.select({ id: mails.id }).from(mails).where(isUndeliverable).limit(max).as('failed'));

/** Returns when the oldest email that is still to be sent was queued; null if there is none. */
export async function findOldestQueuedMailTime(db: Db): Promise<Date | null> {
  const [row] = await db
    .select({ createdAt: mails.createdAt })
    .from(mails)
    .where(eq(mails.status, 'queued'))
    .orderBy(mails.id)
    .limit(1);
  return row?.createdAt ?? null;
}

export async function listOutboxFiles(db: Db) {
  const rows = await db.select({ outboxFile: mails.outboxFile }).from(mails).where(isInOutbox);
  return new Set(rows.map((row) => row.outboxFile));
}

/**
 * Locks an email until the transaction ends, and returns it; null if there is no such email. Locks its user
 * first, as deleting a user does, because another order could deadlock.
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

/** @returns whether there was an undeliverable email with this id */
export async function deleteUndeliverableMail(db: Db, id: number) {
  const rows = await db
    .delete(mails)
    .where(and(eq(mails.id, id), isUndeliverable))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/**
 * Removes an email from the outbox.
 * @returns the email with the name of its file, or null if it was not in the outbox
 */
export async function removeFromOutbox(tx: Db, id: number) {
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

export const deleteMailsDeliveredBefore = (db: Db, before: Date) =>
  db
    .delete(mails)
    .where(and(eq(mails.status, 'delivered'), isNull(mails.outboxFile), lt(mails.settledAt, before)));
