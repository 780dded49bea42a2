import { and, eq, inArray, isNotNull, isNull, like, or, type SQL, sql } from 'drizzle-orm';
import { selectReceivedLevels, userColumns } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import { isRowAfter } from '#server/db/row-order.ts';
import {
  mails,
  passkeys,
  recordings,
  transmissionLevels,
  users,
  userTransmissionAccess,
} from '#server/db/schema.ts';
import { getFoldedName } from '#shared/search-words.ts';
import { getNgramHashes, hasNgrams } from '#server/db/ngrams.ts';
import { paginate } from '#server/db/page.ts';
import type { UserStatusFilter } from '../contract.ts';
import { USERS_PAGE_SIZE } from '../limits.ts';

export type NewUser = Pick<typeof users.$inferInsert, 'email' | 'username' | 'password'> &
  Partial<
    Pick<
      typeof users.$inferInsert,
      'firstName' | 'lastName' | 'role' | 'suggestOwnPassword' | 'passwordIssuedAt' | 'clientId'
    >
  >;

const accessColumns = {
  id: userTransmissionAccess.id,
  transmissionLevelId: userTransmissionAccess.transmissionLevelId,
  grantedAt: userTransmissionAccess.grantedAt,
};

export async function insertUser(db: Db, user: NewUser) {
  const [row] = await db.insert(users).values(withSearchColumns(user)).returning(userColumns);
  return row!;
}

/** @returns null if the username or the email is taken, even by a concurrent insert */
export async function insertUserUnlessTaken(tx: Db, user: NewUser) {
  const [row] = await tx
    .insert(users)
    .values(withSearchColumns(user))
    .onConflictDoNothing()
    .returning(userColumns);
  return row ?? null;
}

const withSearchColumns = (user: NewUser) => ({ ...user, ...buildUserSearchColumns(user) });

/**
 * Returns the values of the search columns, to be written with every change to the name or email. An email
 * has no accents, so it is only converted to lower case.
 */
export function buildUserSearchColumns(user: Parameters<typeof getFoldedName>[0] & { email: string }) {
  const name = getFoldedName(user);
  return { foldedName: name, foldedGrams: getNgramHashes(`${name} ${user.email.toLowerCase()}`) };
}

/**
 * Fills the search columns of up to 500 users who were stored before these columns existed.
 * @returns how many were filled
 */
export async function backfillUserSearchColumnsBatch(tx: Db): Promise<number> {
  const rows = await tx
    .select(userColumns)
    .from(users)
    .where(isNull(users.foldedGrams))
    .limit(500)
    .for('update', { skipLocked: true });
  for (const user of rows) {
    const { foldedName: name, foldedGrams } = buildUserSearchColumns(user);
    // Raw SQL, so that `updatedAt` stays the same, because the user's data doesn't change.
    await tx.execute(
      sql`update users set folded_name = ${name}, folded_grams = ${sql.param(foldedGrams)} where id = ${user.id}`,
    );
  }
  return rows.length;
}

export async function hasAccount(db: Db, email: string) {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return rows.length > 0;
}

/** @param emails in lower case */
export const findAccountsByEmail = (db: Db, emails: string[]) =>
  db
    .select({
      id: users.id,
      email: users.email,
      clientId: users.clientId,
      username: users.username,
      firstName: users.firstName,
      lastName: users.lastName,
      role: users.role,
      isActive: users.isActive,
      // Raw SQL, because the query builder omits table names when selecting from a single table. Without them,
      // `id` in the subquery would not be the id of the user.
      transmissionLevels: selectReceivedLevels(sql`users.id`),
    })
    .from(users)
    .where(inArray(sql`lower(${users.email})`, emails));

/** For sign-in only, because the result has the password hash. */
export async function findUserByUsernameOrEmail(db: Db, name: string) {
  const [row] = await db
    .select()
    .from(users)
    .where(
      or(
        eq(sql`lower(${users.username})`, name.toLowerCase()),
        eq(sql`lower(${users.email})`, name.toLowerCase()),
      ),
    )
    // Prefers a matching username to a matching email. A new username can't contain an '@', but an old username
    // might be another user's email.
    .orderBy(sql`lower(${users.username}) = ${name.toLowerCase()} desc`)
    .limit(1);
  return row ?? null;
}

export async function findUser(db: Db, id: string) {
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return row ?? null;
}

/**
 * Locks the users with these ids against changes until the transaction ends, in the order of their ids to
 * avoid deadlocks. Skips unknown ids.
 */
export const lockUsers = (tx: Db, ids: string[]) =>
  tx.select(userColumns).from(users).where(inArray(users.id, ids)).orderBy(users.id).for('no key update');

/** Locks this user against deletion until the transaction ends. Returns null if there is no such user. */
export async function lockUserAgainstDeletion(tx: Db, id: string) {
  const [row] = await tx.select(userColumns).from(users).where(eq(users.id, id)).for('key share');
  return row ?? null;
}

/**
 * Locks a user who is about to be deleted; returns null if there is no such user. Concurrent inserts of this
 * user's data wait until the transaction ends, and then find no user.
 */
export async function lockUserForDeletion(tx: Db, id: string) {
  const [row] = await tx
    .select({ ...userColumns, clientId: users.clientId })
    .from(users)
    .where(eq(users.id, id))
    .for('update');
  return row ?? null;
}

export const deleteUser = (tx: Db, id: string) => tx.delete(users).where(eq(users.id, id));

export async function updateUserStatus(
  tx: Db,
  id: string,
  change: Partial<Pick<typeof users.$inferInsert, 'isActive'>>,
) {
  const [row] = await tx.update(users).set(change).where(eq(users.id, id)).returning(userColumns);
  return row!;
}

/**
 * Changes the names, email and username, and the search columns with them.
 * @throws the driver's error for a username or email that is taken
 */
export async function changeAccountIdentity(tx: Db, id: string, identity: Required<AccountIdentity>) {
  const change = { ...identity, ...buildUserSearchColumns(identity) };
  const [row] = await tx.update(users).set(change).where(eq(users.id, id)).returning(userColumns);
  return row!;
}

export type AccountIdentity = {
  firstName: string | null;
  lastName: string | null;
  email: string;
  /** Unchanged if absent. */
  username?: string;
};

export async function findUserByEmail(db: Db, email: string) {
  const [row] = await db
    .select(userColumns)
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return row ?? null;
}

export async function listUsernamesStartingWith(db: Db, stem: string) {
  const rows = await db
    .select({ username: sql<string>`lower(${users.username})` })
    .from(users)
    .where(like(sql`lower(${users.username})`, `${escapeLike(stem)}%`));
  return new Set(rows.map((row) => row.username));
}

export async function hasAdmin(db: Db) {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).limit(1);
  return rows.length > 0;
}

export const listAdminNames = (db: Db) =>
  db
    .select({ firstName: users.firstName, lastName: users.lastName, username: users.username })
    .from(users)
    .where(eq(users.role, 'admin'));

/** Locks the creation of the first admin until the transaction ends. */
export const lockFirstAdminCreation = (tx: Db) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('first admin'))`);

/** Cursor in the list: the last user's sort name and id. */
export type UserCursor = readonly [name: string, id: string] | undefined;

// Must be the expression of the index `users_by_name`, which PostgreSQL uses only for exactly the same
// expression.
const sortName = sql<string>`lower(coalesce(nullif(trim(coalesce(${users.firstName}, '') || ' ' || coalesce(${users.lastName}, '')), ''), ${users.username}))`;

/** Returns a page of users, sorted by name. */
export async function listUsers(db: Db, filter: UserListFilter, after: UserCursor) {
  const isSuch = buildFilter(filter);
  const found = await selectListed(db)
    .where(and(isSuch, after && isRowAfter([sortName, users.id], after)))
    .orderBy(sortName, users.id)
    .limit(USERS_PAGE_SIZE + 1);
  return toPage(found, await db.$count(users, isSuch));
}

export type UserListFilter = { level?: number | undefined; only?: UserStatusFilter | undefined };

const filterConditions: Record<UserStatusFilter, () => SQL | undefined> = {
  disabled: () => eq(users.isActive, false),
  'never-signed-in': () => isNull(users.lastSignInAt),
  'mail-waiting': () => sql`exists (select from mails where mails.user_id = users.id and ${isUndelivered})`,
};

function buildFilter({ level, only }: UserListFilter) {
  const received =
    level === undefined
      ? undefined
      : sql`exists (select from user_transmission_access as received
          where received.user_id = users.id and received.transmission_level_id = ${level})`;
  return and(received, only && filterConditions[only]());
}

/**
 * Matches emails in the outbox, undeliverable emails, and emails queued again after a failed attempt. Doesn't
 * match emails that have just been queued.
 */
const isUndelivered = or(
  isNotNull(mails.outboxFile),
  eq(mails.status, 'undeliverable'),
  and(eq(mails.status, 'queued'), isNotNull(mails.lastError)),
);

/**
 * Maximum number of matches to find through the n-gram index and then sort. If more users match, the search
 * reads them in the order of the name index instead, which costs less per match.
 */
const MAX_SORTED_MATCHES = 200;

/** Returns a page of the users whose names, username or email contain every folded word, sorted by name. */
export async function searchUsers(db: Db, words: string[], filter: UserListFilter, after: UserCursor) {
  const isFound = and(...words.map(containsWord), buildFilter(filter));
  const isOnPage = after && isRowAfter([sortName, users.id], after);
  const idsOf = (where: SQL | undefined) => db.select({ id: users.id }).from(users).where(where);
  const few = await idsOf(and(hasNgrams(users.foldedGrams, words), isFound)).limit(MAX_SORTED_MATCHES + 1);
  const areFew = few.length <= MAX_SORTED_MATCHES;
  const total = areFew ? few.length : await db.$count(users, isFound);
  const found = areFew
    ? few
    : await idsOf(and(isFound, isOnPage))
        .orderBy(sortName, users.id)
        .limit(USERS_PAGE_SIZE + 1);
  const ids = found.map(({ id }) => id);
  const page = await selectListed(db)
    .where(and(inArray(users.id, ids), isOnPage))
    .orderBy(sortName, users.id)
    .limit(USERS_PAGE_SIZE + 1);
  return toPage(page, total);
}

function toPage(found: Awaited<ReturnType<typeof selectListed>>, total: number) {
  const page = paginate(found, USERS_PAGE_SIZE, total, ({ sortName, id }) => ({ after: [sortName, id] }));
  return { ...page, rows: page.rows.map(({ sortName: _, ...user }) => user) };
}

export async function findListedUser(db: Db, id: string) {
  const [row] = await selectListed(db).where(eq(users.id, id));
  return row ?? null;
}

const containsWord = (word: string) =>
  or(
    sql`strpos(${users.foldedName}, ${word}) > 0`,
    // An email has no accents, so it needs no folded column.
    sql`strpos(lower(${users.email}), ${word}) > 0`,
  );

/**
 * Selects users with counts of their recordings, replies and waiting emails, which are computed only for the
 * rows of the page.
 */
function selectListed(db: Db) {
  const counts = db
    .select({
      recordingCount: sql<number>`count(*)::int`.as('recording_count'),
      // Every reviewed recording has feedback, so counting by status is enough. The status is in the index;
      // joining the feedback would cost twenty times as much.
      feedbackCount: sql<number>`(count(*) filter (where ${recordings.status} = 'reviewed'))::int`.as(
        'feedback_count',
      ),
    })
    .from(recordings)
    .where(eq(recordings.studentId, users.id))
    .as('counts');
  const waiting = db
    .select({ count: sql<number>`count(*)::int`.as('waiting_mails') })
    .from(mails)
    .where(and(eq(mails.userId, users.id), isUndelivered))
    .as('waiting');
  return db
    .select({
      ...userColumns,
      recordingCount: counts.recordingCount,
      feedbackCount: counts.feedbackCount,
      transmissionLevels: selectReceivedLevels(users.id),
      lastSignInAt: users.lastSignInAt,
      hasPasskeys: sql<boolean>`exists (select from ${passkeys} where ${passkeys.userId} = ${users.id})`,
      waitingMails: waiting.count,
      sortName,
    })
    .from(users)
    .crossJoinLateral(counts)
    .crossJoinLateral(waiting);
}

export async function listLevelAccess(db: Db, userId: string) {
  return db
    .select(accessColumns)
    .from(userTransmissionAccess)
    .where(eq(userTransmissionAccess.userId, userId))
    .orderBy(userTransmissionAccess.transmissionLevelId);
}

/** Returns the levels with these ids, and locks them against deletion until the transaction ends. */
export const lockLevels = (tx: Db, ids: number[]) =>
  tx
    .select({ id: transmissionLevels.id, name: transmissionLevels.name })
    .from(transmissionLevels)
    .where(inArray(transmissionLevels.id, ids))
    .orderBy(transmissionLevels.id)
    .for('key share');

/** Grants the levels. Access that was granted before stays unchanged and has `isNew` false. */
export async function insertLevelAccess(db: Db, userId: string, levelIds: number[], grantedBy: string) {
  if (levelIds.length === 0) return [];
  return db
    .insert(userTransmissionAccess)
    .values(levelIds.map((transmissionLevelId) => ({ userId, transmissionLevelId, grantedBy })))
    .onConflictDoUpdate({
      target: [userTransmissionAccess.userId, userTransmissionAccess.transmissionLevelId],
      // Changes nothing, but returns the existing row, even if the access is being revoked concurrently.
      set: { userId: sql`excluded.user_id` },
    })
    .returning({ ...accessColumns, isNew: sql<boolean>`xmax = 0` });
}

/** Revokes access to a level. @returns the level's name, or null if there was no access to it */
export async function deleteLevelAccess(tx: Db, userId: string, levelId: number) {
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
  // Null if the level has been deleted concurrently, together with all access to it.
  return level?.name ?? null;
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
