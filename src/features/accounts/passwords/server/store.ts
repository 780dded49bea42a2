import { and, desc, eq, gt, lt, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { passwordResetTokens, users } from '#server/db/schema.ts';

const nameColumns = {
  id: users.id,
  email: users.email,
  username: users.username,
  firstName: users.firstName,
  lastName: users.lastName,
  role: users.role,
  asksForPasskey: users.asksForPasskey,
};

export async function findUserById(db: Db, userId: string) {
  const [row] = await db.select(nameColumns).from(users).where(eq(users.id, userId));
  return row ?? null;
}

export async function findStoredPassword(db: Db, userId: string) {
  const [row] = await db
    .select({ password: users.password, passwordIssuedAt: users.passwordIssuedAt })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
}

/**
 * @param only the expected current hash; if the stored hash differs, nothing is changed
 * @returns whether the password was changed
 */
export async function setPasswordHash(
  tx: Db,
  userId: string,
  password: string,
  { isIssued = false, only }: { isIssued?: boolean; only?: string } = {},
) {
  const changed = await tx
    .update(users)
    .set({
      password,
      suggestOwnPassword: isIssued,
      passwordIssuedAt: isIssued ? sql`case when role = 'student' then now() end` : null,
    })
    .where(and(eq(users.id, userId), only === undefined ? undefined : eq(users.password, only)))
    .returning({ id: users.id });
  return changed.length > 0;
}

export const dismissPasswordSuggestion = (db: Db, userId: string) =>
  db.update(users).set({ suggestOwnPassword: false }).where(eq(users.id, userId));

export async function findUserIdByEmail(db: Db, email: string) {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email));
  return row?.id ?? null;
}

/**
 * Locks an active user's row until the transaction ends; returns null if the user is disabled or no longer
 * exists. Every change to a user's reset tokens locks this row first. This prevents deadlocks, and keeps only
 * the last two of three concurrently created tokens valid.
 */
export async function lockActiveUser(tx: Db, id: string) {
  const [row] = await tx
    .select(nameColumns)
    .from(users)
    .where(and(eq(users.id, id), users.isActive))
    .for('update');
  return row ?? null;
}

export const insertResetToken = (
  tx: Db,
  row: { userId: string; token: string; createdAt: Date; expiresAt: Date },
) => tx.insert(passwordResetTokens).values(row);

/** Counts the links created since the given time, including those that no longer work. */
export const countResetTokensSince = (tx: Db, userId: string, since: Date) =>
  tx.$count(
    passwordResetTokens,
    and(eq(passwordResetTokens.userId, userId), gt(passwordResetTokens.createdAt, since)),
  );

/** @param butLast number of newest tokens that stay valid */
export async function revokeResetTokens(tx: Db, userId: string, { butLast = 0 } = {}) {
  const open = and(eq(passwordResetTokens.userId, userId), eq(passwordResetTokens.used, false));
  const newest = tx
    .select({ id: passwordResetTokens.id })
    .from(passwordResetTokens)
    .where(open)
    .orderBy(desc(passwordResetTokens.id))
    .limit(butLast);
  await tx
    .update(passwordResetTokens)
    .set({ used: true })
    .where(and(open, notInArray(passwordResetTokens.id, newest)));
}

const isValidToken = (token: string, now: Date) =>
  and(
    eq(passwordResetTokens.token, token),
    eq(passwordResetTokens.used, false),
    gt(passwordResetTokens.expiresAt, now),
  );

/** Returns the id of the token's user, or null if the token is not valid. */
export async function findUserIdByResetToken(db: Db, token: string, now: Date) {
  const [row] = await db
    .select({ userId: passwordResetTokens.userId })
    .from(passwordResetTokens)
    .where(isValidToken(token, now));
  return row?.userId ?? null;
}

/** @returns whether the token was still valid */
export async function consumeResetToken(tx: Db, token: string, now: Date) {
  const used = await tx
    .update(passwordResetTokens)
    .set({ used: true })
    .where(isValidToken(token, now))
    .returning({ id: passwordResetTokens.id });
  return used.length > 0;
}

export const deleteResetTokensExpiredBefore = (db: Db, cutoff: Date) =>
  db.delete(passwordResetTokens).where(lt(passwordResetTokens.expiresAt, cutoff));
