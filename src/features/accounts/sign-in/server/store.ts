import { createHash } from 'node:crypto';
import { and, desc, eq, gt, lt, or, sql } from 'drizzle-orm';
import { userColumns } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import { codeSignIns, knownDevices, mails, signInTokens, users } from '#server/db/schema.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { MAX_LISTED_CODE_SIGN_INS } from '../limits.ts';

export async function isKnownDevice(db: Db, userId: string, device: string) {
  const rows = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.device, hashDevice(device))));
  return rows.length > 0;
}

/** Returns whether the user has signed in on any device that is still known. */
export async function hasKnownDevice(db: Db, userId: string) {
  const rows = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .limit(1);
  return rows.length > 0;
}

/** Returns whether an email about a new device has been queued for the user since the given time. */
export async function wasNewDeviceEmailQueuedSince(db: Db, userId: string, since: Date) {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.kind, 'new-device'), gt(mails.createdAt, since)))
    .limit(1);
  return rows.length > 0;
}

/** Returns whether we issued this device id. A client could send a made-up id. */
export async function isIssuedDeviceId(db: Db, device: string) {
  const rows = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .where(eq(knownDevices.device, hashDevice(device)))
    .limit(1);
  return rows.length > 0;
}

export async function upsertKnownDevice(db: Db, userId: string, device: string, seenAt: Date) {
  await db
    .insert(knownDevices)
    .values({ userId, device: hashDevice(device), seenAt })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.device], set: { seenAt } });
}

/** Keeps `updatedAt`, because signing in doesn't change the account. */
export const recordSignIn = (db: Db, userId: string, at: Date) =>
  db
    .update(users)
    .set({ lastSignInAt: at, updatedAt: sql`updated_at` })
    .where(eq(users.id, userId));

export const insertCodeSignIn = (tx: Db, row: typeof codeSignIns.$inferInsert) =>
  tx.insert(codeSignIns).values(row);

/** Lists the sign-ins with a teacher's code, newest first, at most MAX_LISTED_CODE_SIGN_INS. */
export const listCodeSignIns = (db: Db, userId: string) =>
  db
    .select({ shownBy: codeSignIns.shownBy, device: codeSignIns.device, at: codeSignIns.createdAt })
    .from(codeSignIns)
    .where(eq(codeSignIns.userId, userId))
    .orderBy(desc(codeSignIns.id))
    .limit(MAX_LISTED_CODE_SIGN_INS);

export const deleteCodeSignInsBefore = (db: Db, cutoff: Date) =>
  db.delete(codeSignIns).where(lt(codeSignIns.createdAt, cutoff));

/** Records that an issued password has been used, so that it no longer expires. */
export const markIssuedPasswordUsed = (tx: Db, userId: string) =>
  tx
    .update(users)
    .set({ passwordIssuedAt: null, updatedAt: sql`updated_at` })
    .where(eq(users.id, userId));

export async function deleteKnownDevicesLastSeenBefore(db: Db, cutoff: Date) {
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, cutoff));
}

export type ActiveUser = NonNullable<Awaited<ReturnType<typeof lockActiveUser>>>;

/**
 * Locks an active user's row until the transaction ends; returns null if the user is disabled or no longer
 * exists. Every change to a user's tokens locks this row first, so that only one of two concurrent uses of a
 * token succeeds, and a concurrent password change either comes first or waits.
 */
export async function lockActiveUser(tx: Db, id: string) {
  const [row] = await tx
    .select(userColumns)
    .from(users)
    .where(and(eq(users.id, id), users.isActive))
    .for('update');
  return row ?? null;
}

export type HashedToken = { kind: 'link' | 'code'; token: string };

export async function insertToken(tx: Db, row: typeof signInTokens.$inferInsert) {
  const [made] = await tx.insert(signInTokens).values(row).returning({ id: signInTokens.id });
  return made!.id;
}

/** Counts the links created since the given time, including those that no longer work. */
export const countSignInLinksSince = (tx: Db, userId: string, since: Date) =>
  tx.$count(
    signInTokens,
    and(eq(signInTokens.userId, userId), eq(signInTokens.kind, 'link'), gt(signInTokens.createdAt, since)),
  );

/** Revokes the open tokens that match all given conditions. */
export async function revokeMatchingTokens(
  tx: Db,
  of: { id?: number; userId?: string; kind?: HashedToken['kind']; issuedBy?: string },
) {
  await tx
    .update(signInTokens)
    .set({ state: 'void' })
    .where(
      and(
        eq(signInTokens.state, 'open'),
        of.id === undefined ? undefined : eq(signInTokens.id, of.id),
        of.userId === undefined ? undefined : eq(signInTokens.userId, of.userId),
        of.kind === undefined ? undefined : eq(signInTokens.kind, of.kind),
        of.issuedBy === undefined ? undefined : eq(signInTokens.issuedBy, of.issuedBy),
      ),
    );
}

/** Revokes the tokens that sign this user in, and the codes that this user created for others. */
export async function revokeTokensOwnedOrIssuedBy(tx: Db, userId: string) {
  await tx
    .update(signInTokens)
    .set({ state: 'void' })
    .where(
      and(
        eq(signInTokens.state, 'open'),
        or(eq(signInTokens.userId, userId), eq(signInTokens.issuedBy, userId)),
      ),
    );
}

const isValidToken = ({ kind, token }: HashedToken, now: Date) =>
  and(
    eq(signInTokens.token, token),
    eq(signInTokens.kind, kind),
    eq(signInTokens.state, 'open'),
    gt(signInTokens.expiresAt, now),
  );

/** Returns the token's user, or null if the token is not valid or the user is disabled. */
export async function findTokenOwner(db: Db, token: HashedToken, now: Date) {
  const [row] = await db
    .select({
      id: users.id,
      username: users.username,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(signInTokens)
    .innerJoin(users, and(eq(users.id, signInTokens.userId), users.isActive))
    .where(isValidToken(token, now));
  return row ?? null;
}

/** @returns who issued the token, or null if the token is no longer valid */
export async function consumeToken(tx: Db, token: HashedToken, now: Date) {
  const [used] = await tx
    .update(signInTokens)
    .set({ state: 'used' })
    .where(isValidToken(token, now))
    .returning({ issuedBy: signInTokens.issuedBy });
  return used ?? null;
}

export async function getDisplayName(tx: Db, userId: string) {
  const [user] = await tx
    .select({ username: users.username, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId));
  return formatDisplayName(user!);
}

export async function findSignInCode(db: Db, id: number, issuedBy: string) {
  const [row] = await db
    .select({ state: signInTokens.state, expiresAt: signInTokens.expiresAt })
    .from(signInTokens)
    .where(and(eq(signInTokens.id, id), eq(signInTokens.issuedBy, issuedBy)));
  return row ?? null;
}

export const deleteSignInTokensExpiredBefore = (db: Db, cutoff: Date) =>
  db.delete(signInTokens).where(lt(signInTokens.expiresAt, cutoff));

const hashDevice = (device: string) => createHash('sha256').update(device).digest('hex');
