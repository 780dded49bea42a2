import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { phrases, users } from '#server/db/schema.ts';
import { MAX_PHRASES } from '../limits.ts';

const columns = { id: phrases.id, name: phrases.name, text: phrases.text };

export const listPhrases = (db: Db, adminId: string) =>
  db
    .select(columns)
    .from(phrases)
    .where(eq(phrases.adminId, adminId))
    .orderBy(asc(sql`lower(${phrases.name})`))
    .limit(MAX_PHRASES);

/**
 * Locks an admin's row until the transaction ends, so that concurrent calls can't exceed the maximum number of
 * phrases.
 */
export const lockPhraseOwner = (tx: Db, adminId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, adminId)).for('no key update');

export const countPhrases = (db: Db, adminId: string) => db.$count(phrases, eq(phrases.adminId, adminId));

export async function findPhraseByName(db: Db, adminId: string, name: string) {
  const [row] = await db
    .select(columns)
    .from(phrases)
    .where(and(eq(phrases.adminId, adminId), eq(sql`lower(${phrases.name})`, sql`lower(${name})`)));
  return row ?? null;
}

export async function insertPhrase(tx: Db, row: typeof phrases.$inferInsert) {
  const [made] = await tx.insert(phrases).values(row).returning(columns);
  return made!;
}

const isOwnPhrase = (id: number, adminId: string) => and(eq(phrases.id, id), eq(phrases.adminId, adminId));

/** @returns null if this admin has no such phrase */
export async function updatePhrase(tx: Db, id: number, adminId: string, set: { name: string; text: string }) {
  const [row] = await tx.update(phrases).set(set).where(isOwnPhrase(id, adminId)).returning(columns);
  return row ?? null;
}

/** @returns whether this admin had such a phrase */
export async function deletePhrase(tx: Db, id: number, adminId: string) {
  const rows = await tx.delete(phrases).where(isOwnPhrase(id, adminId)).returning({ id: phrases.id });
  return rows.length > 0;
}
