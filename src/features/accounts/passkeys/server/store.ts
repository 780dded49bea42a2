import { and, count, desc, eq, gt, lt } from 'drizzle-orm';
import { userColumns } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import { passkeyChallenges, passkeys, users } from '#server/db/schema.ts';

const passkeyColumns = {
  id: passkeys.id,
  name: passkeys.name,
  createdAt: passkeys.createdAt,
  usedAt: passkeys.usedAt,
};

/**
 * Locks a user's row before one of their passkeys is added, used or removed. Returns null if the user is
 * disabled or no longer exists.
 */
export async function lockActiveUser(tx: Db, id: string) {
  const [row] = await tx
    .select(userColumns)
    .from(users)
    .where(and(eq(users.id, id), users.isActive))
    .for('update');
  return row ?? null;
}

export async function lockUser(tx: Db, id: string) {
  const [row] = await tx.select(userColumns).from(users).where(eq(users.id, id)).for('update');
  return row ?? null;
}

export const listPasskeys = (db: Db, userId: string) =>
  db.select(passkeyColumns).from(passkeys).where(eq(passkeys.userId, userId)).orderBy(desc(passkeys.id));

/**
 * Returns the user's credentials. An authenticator uses them to detect that it already has a passkey for the
 * account.
 */
export const listCredentials = (db: Db, userId: string) =>
  db
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));

export async function countPasskeys(db: Db, userId: string) {
  const [row] = await db.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return row!.count;
}

export async function findPasskeyByCredential(db: Db, credentialId: string) {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row ?? null;
}

/** @returns null if the credential is already registered */
export async function insertPasskey(tx: Db, row: typeof passkeys.$inferInsert) {
  const [made] = await tx.insert(passkeys).values(row).onConflictDoNothing().returning(passkeyColumns);
  return made ?? null;
}

/** @returns whether the passkey still exists */
export async function recordPasskeyUse(tx: Db, id: number, use: { counter: number; usedAt: Date }) {
  const used = await tx.update(passkeys).set(use).where(eq(passkeys.id, id)).returning({ id: passkeys.id });
  return used.length > 0;
}

const isOwnPasskey = (id: number, userId: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId));

export async function renamePasskey(db: Db, id: number, userId: string, name: string) {
  const [row] = await db
    .update(passkeys)
    .set({ name })
    .where(isOwnPasskey(id, userId))
    .returning(passkeyColumns);
  return row ?? null;
}

export async function deletePasskey(tx: Db, id: number, userId: string) {
  const [row] = await tx.delete(passkeys).where(isOwnPasskey(id, userId)).returning({ name: passkeys.name });
  return row ?? null;
}

/** @returns the number of deleted passkeys */
export async function deletePasskeysOfUser(tx: Db, userId: string) {
  const deleted = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
  return deleted.length;
}

export const updatePasskeySettings = (
  db: Db,
  userId: string,
  change: Partial<Pick<typeof users.$inferInsert, 'suggestPasskey' | 'asksForPasskey'>>,
) => db.update(users).set(change).where(eq(users.id, userId));

export const insertChallenge = (db: Db, row: typeof passkeyChallenges.$inferInsert) =>
  db.insert(passkeyChallenges).values(row);

/**
 * Deletes and returns a challenge, so that it can be used for only one response, valid or not. Returns null
 * if the challenge is unknown or has expired.
 */
export async function consumeChallenge(db: Db, challenge: string, now: Date) {
  const [row] = await db
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.challenge, challenge), gt(passkeyChallenges.expiresAt, now)))
    .returning({ purpose: passkeyChallenges.purpose, userId: passkeyChallenges.userId });
  return row ?? null;
}

export const deleteChallengesExpiredBefore = (db: Db, cutoff: Date) =>
  db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, cutoff));
