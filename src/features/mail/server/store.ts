import { and, desc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mails, users } from '../../../db/schema.ts';

const columns = {
  id: mails.id,
  kind: mails.kind,
  recipient: mails.recipient,
  subject: mails.subject,
  createdAt: mails.createdAt,
};

/** More than a page can show helpfully; whoever has more sees the rest once these are settled. */
const MOST = 200;

const isDelayed = and(eq(mails.status, 'queued'), isNotNull(mails.lastError));
const isUntroubled = and(eq(mails.status, 'queued'), isNull(mails.lastError));
const isUndeliverable = eq(mails.status, 'undeliverable');
const isInOutbox = isNotNull(mails.outboxFile);

/** Mails that a server did not take, newest first. */
export const listTroubled = (db: Db) =>
  db
    .select({ ...columns, status: mails.status, lastError: mails.lastError })
    .from(mails)
    .where(or(isDelayed, isUndeliverable))
    .orderBy(desc(mails.id))
    .limit(MOST);

/**
 * Mails that lie in the outbox, newest first.
 * @param withQueued those too that are about to, which still hold their text
 */
export const listOutbox = (db: Db, withQueued: boolean) =>
  db
    .select({ ...columns, outboxFile: mails.outboxFile, text: mails.text })
    .from(mails)
    .where(withQueued ? or(isInOutbox, isUntroubled) : isInOutbox)
    .orderBy(desc(mails.id))
    .limit(MOST);

export async function outboxFiles(db: Db) {
  const rows = await db.select({ outboxFile: mails.outboxFile }).from(mails).where(isInOutbox);
  return new Set(rows.map((row) => row.outboxFile));
}

/**
 * Until the transaction ends, nobody else has this mail. The user comes first, as when a user is deleted with all
 * mails: two that want both in another order would wait for each other.
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

/** @returns false when it was none */
export async function deleteUndeliverable(db: Db, id: number) {
  const rows = await db
    .delete(mails)
    .where(and(eq(mails.id, id), isUndeliverable))
    .returning({ id: mails.id });
  return rows.length > 0;
}

/** Takes a mail out of the list of the outbox. @returns its file, null when it was not there */
export async function leaveOutbox(db: Db, id: number) {
  return db.transaction(async (tx) => {
    const [mail] = await tx
      .select({ outboxFile: mails.outboxFile })
      .from(mails)
      .where(and(eq(mails.id, id), isInOutbox))
      .for('update');
    if (!mail) return null;
    await tx.update(mails).set({ outboxFile: null }).where(eq(mails.id, id));
    return mail.outboxFile;
  });
}

export const deleteDeliveredBefore = (db: Db, before: Date) =>
  db
    .delete(mails)
    .where(and(eq(mails.status, 'delivered'), isNull(mails.outboxFile), lt(mails.settledAt, before)));
