import { and, asc, eq, ilike, inArray, like, or, sql } from 'drizzle-orm';
import { userColumns } from '../../../db/columns.ts';
import type { Db } from '../../../db/database.ts';
import { transmissionLevels, users, userTransmissionAccess } from '../../../db/schema.ts';

export type NewUser = Pick<typeof users.$inferInsert, 'email' | 'username' | 'password'> &
  Partial<Pick<typeof users.$inferInsert, 'firstName' | 'lastName' | 'role' | 'suggestOwnPassword'>>;

const accessColumns = {
  id: userTransmissionAccess.id,
  transmissionLevelId: userTransmissionAccess.transmissionLevelId,
  grantedAt: userTransmissionAccess.grantedAt,
};

export async function insertUser(db: Db, user: NewUser) {
  const [row] = await db.insert(users).values(user).returning(userColumns);
  return row!;
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

/** Until the transaction ends, nobody else makes the first admin. */
export const lockFirstAdmin = (tx: Db) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('first admin'))`);

/** All users, by display name; every word of the search must be found somewhere. */
export async function listUsers(db: Db, search: string) {
  const words = search.split(/\s+/).filter(Boolean);
  const matches = words.map((word) => {
    const pattern = `%${escapeLike(word)}%`;
    return or(
      ilike(users.username, pattern),
      ilike(users.email, pattern),
      ilike(users.firstName, pattern),
      ilike(users.lastName, pattern),
    );
  });
  return db
    .select({
      ...userColumns,
      recordingCount: sql<number>`(${recordingsOfUser})`,
      feedbackCount: sql<number>`(${feedbackForUser})`,
    })
    .from(users)
    .where(and(...matches))
    .orderBy(
      asc(
        sql`lower(coalesce(nullif(concat_ws(' ', ${users.firstName}, ${users.lastName}), ''), ${users.username}))`,
      ),
      users.id,
    );
}

// Written out, because the query builder leaves out the table's name where only one table is selected from.
const recordingsOfUser = sql`select count(*)::int from recordings where recordings.student_id = users.id`;
const feedbackForUser = sql`select count(*)::int from feedback
  join recordings on recordings.id = feedback.recording_id where recordings.student_id = users.id`;

export async function listAccess(db: Db, userId: string) {
  return db
    .select(accessColumns)
    .from(userTransmissionAccess)
    .where(eq(userTransmissionAccess.userId, userId))
    .orderBy(userTransmissionAccess.transmissionLevelId);
}

/** Those of the ids that are levels. */
export async function existingLevels(db: Db, ids: number[]) {
  const rows = await db
    .select({ id: transmissionLevels.id })
    .from(transmissionLevels)
    .where(inArray(transmissionLevels.id, ids));
  return rows.map((row) => row.id);
}

/** A level that was granted before stays as it is; `isNew` says which were not. */
export async function insertAccess(db: Db, userId: string, levelIds: number[], grantedBy: string) {
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

export async function deleteAccess(db: Db, userId: string, levelId: number) {
  await db
    .delete(userTransmissionAccess)
    .where(
      and(eq(userTransmissionAccess.userId, userId), eq(userTransmissionAccess.transmissionLevelId, levelId)),
    );
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
