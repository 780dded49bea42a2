import { and, asc, eq, inArray, isNull, like, or, sql } from 'drizzle-orm';
import { userColumns } from '../../../db/columns.ts';
import type { Db } from '../../../db/database.ts';
import {
  feedback,
  recordings,
  transmissionLevels,
  users,
  userTransmissionAccess,
} from '../../../db/schema.ts';
import { foldedName } from '../../../platform/contract/search-words.ts';

export type NewUser = Pick<typeof users.$inferInsert, 'email' | 'username' | 'password'> &
  Partial<Pick<typeof users.$inferInsert, 'firstName' | 'lastName' | 'role' | 'suggestOwnPassword'>>;

const accessColumns = {
  id: userTransmissionAccess.id,
  transmissionLevelId: userTransmissionAccess.transmissionLevelId,
  grantedAt: userTransmissionAccess.grantedAt,
};

export async function insertUser(db: Db, user: NewUser) {
  const [row] = await db.insert(users).values(asSearched(user)).returning(userColumns);
  return row!;
}

/** @returns null when the username or the email is taken, also by somebody who is being made at this moment */
export async function insertUserUnlessTaken(tx: Db, user: NewUser) {
  const [row] = await tx.insert(users).values(asSearched(user)).onConflictDoNothing().returning(userColumns);
  return row ?? null;
}

const asSearched = (user: NewUser) => ({ ...user, foldedName: foldedName(user) });

/** Folds the names of some users for whom that is not done yet: from before there was such a column. @returns how many */
export async function foldSome(tx: Db): Promise<number> {
  const rows = await tx
    .select(userColumns)
    .from(users)
    .where(isNull(users.foldedName))
    .limit(500)
    .for('update', { skipLocked: true });
  for (const user of rows)
    // Not a change of the user's: `updatedAt` stays.
    await tx.execute(sql`update users set folded_name = ${foldedName(user)} where id = ${user.id}`);
  return rows.length;
}

export async function hasAccount(db: Db, email: string) {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return rows.length > 0;
}

/** With the password's hash: for sign-in only. */
export async function findUserByName(db: Db, name: string) {
  const [row] = await db
    .select()
    .from(users)
    .where(
      or(
        eq(sql`lower(${users.username})`, name.toLowerCase()),
        eq(sql`lower(${users.email})`, name.toLowerCase()),
      ),
    )
    // A username is never an address, but an old one might be: the username then wins.
    .orderBy(sql`lower(${users.username}) = ${name.toLowerCase()} desc`)
    .limit(1);
  return row ?? null;
}

export async function findUser(db: Db, id: string) {
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return row ?? null;
}

/**
 * The users that there are of these, in the order of their ids, so that two who hold the same can't wait for each
 * other. Until the transaction ends, nobody else changes them.
 */
export const holdUsers = (tx: Db, ids: string[]) =>
  tx.select(userColumns).from(users).where(inArray(users.id, ids)).orderBy(users.id).for('no key update');

/** Until the transaction ends, this user is not deleted. */
export async function keepUser(tx: Db, id: string) {
  const [row] = await tx.select(userColumns).from(users).where(eq(users.id, id)).for('key share');
  return row ?? null;
}

/** Until the transaction ends, nothing that belongs to this user is added: whoever does so waits, and finds nobody. */
export async function holdForDeletion(tx: Db, id: string) {
  const [row] = await tx.select(userColumns).from(users).where(eq(users.id, id)).for('update');
  return row ?? null;
}

export const deleteUser = (tx: Db, id: string) => tx.delete(users).where(eq(users.id, id));

export async function updateUser(
  tx: Db,
  id: string,
  change: Partial<Pick<typeof users.$inferInsert, 'isActive'>>,
) {
  const [row] = await tx.update(users).set(change).where(eq(users.id, id)).returning(userColumns);
  return row!;
}

export async function findUserByEmail(db: Db, email: string) {
  const [row] = await db
    .select(userColumns)
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return row ?? null;
}

export async function usernamesLike(db: Db, stem: string) {
  const rows = await db
    .select({ username: sql<string>`lower(${users.username})` })
    .from(users)
    .where(like(sql`lower(${users.username})`, `${escapeLike(stem)}%`));
  return new Set(rows.map((row) => row.username));
}

export async function anyAdmin(db: Db) {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).limit(1);
  return rows.length > 0;
}

export const listAdminNames = (db: Db) =>
  db
    .select({ firstName: users.firstName, lastName: users.lastName, username: users.username })
    .from(users)
    .where(eq(users.role, 'admin'));

/** Until the transaction ends, nobody else makes the first admin. */
export const lockFirstAdmin = (tx: Db) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('first admin'))`);

/** All users, by name; every one of the folded words must be found in the names, the username or the email. */
export async function listUsers(db: Db, words: string[]) {
  const found = and(
    ...words.map((word) =>
      or(
        sql`strpos(${users.foldedName}, ${word}) > 0`,
        // An email has no accents.
        sql`strpos(lower(${users.email}), ${word}) > 0`,
      ),
    ),
  );
  const counts = countsOf(db, found ? 'each' : 'all');
  return db
    .select({
      ...userColumns,
      recordingCount: sql<number>`coalesce(${counts.recordingCount}, 0)`,
      feedbackCount: sql<number>`coalesce(${counts.feedbackCount}, 0)`,
    })
    .from(users)
    .leftJoinLateral(counts, eq(counts.studentId, users.id))
    .where(found)
    .orderBy(
      asc(
        sql`lower(coalesce(nullif(concat_ws(' ', ${users.firstName}, ${users.lastName}), ''), ${users.username}))`,
      ),
      users.id,
    );
}

/**
 * What users have sent and been answered. For all it is counted in one go: asked for each of them, 5,000 users with
 * 50,000 recordings took five times as long. For those whom a search finds, each is counted by the index.
 */
const countsOf = (db: Db, whose: 'each' | 'all') =>
  db
    .select({
      studentId: recordings.studentId,
      recordingCount: sql<number>`count(*)::int`.as('recording_count'),
      feedbackCount: sql<number>`count(${feedback.id})::int`.as('feedback_count'),
    })
    .from(recordings)
    .leftJoin(feedback, eq(feedback.recordingId, recordings.id))
    .where(whose === 'each' ? eq(recordings.studentId, users.id) : undefined)
    .groupBy(recordings.studentId)
    .as('counts');

export async function listAccess(db: Db, userId: string) {
  return db
    .select(accessColumns)
    .from(userTransmissionAccess)
    .where(eq(userTransmissionAccess.userId, userId))
    .orderBy(userTransmissionAccess.transmissionLevelId);
}

/** Those of the ids that are levels; they are not deleted before the transaction ends. */
export const holdLevels = (tx: Db, ids: number[]) =>
  tx
    .select({ id: transmissionLevels.id, name: transmissionLevels.name })
    .from(transmissionLevels)
    .where(inArray(transmissionLevels.id, ids))
    .orderBy(transmissionLevels.id)
    .for('key share');

/** A level that was granted before stays as it is; `isNew` says which were not. */
export async function insertAccess(db: Db, userId: string, levelIds: number[], grantedBy: string) {
  if (levelIds.length === 0) return [];
  return db
    .insert(userTransmissionAccess)
    .values(levelIds.map((transmissionLevelId) => ({ userId, transmissionLevelId, grantedBy })))
    .onConflictDoUpdate({
      target: [userTransmissionAccess.userId, userTransmissionAccess.transmissionLevelId],
      // Changes nothing, but answers the row that is there, also if it is being revoked at this moment.
      set: { userId: sql`excluded.user_id` },
    })
    .returning({ ...accessColumns, isNew: sql<boolean>`xmax = 0` });
}

/** @returns the level's name, null when there was no access to it */
export async function deleteAccess(tx: Db, userId: string, levelId: number) {
  const deleted = await tx
    .delete(userTransmissionAccess)
    .where(
      and(eq(userTransmissionAccess.userId, userId), eq(userTransmissionAccess.transmissionLevelId, levelId)),
    )
    .returning({ id: userTransmissionAccess.id });
  if (deleted.length === 0) return null;
  const [level] = await tx
    .select({ name: transmissionLevels.name })
    .from(transmissionLevels)
    .where(eq(transmissionLevels.id, levelId));
  // The level may be going at this moment, which takes its access along.
  return level?.name ?? null;
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
