import { type AnyColumn, and, count, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { isRowAfterDescending } from '#server/db/row-order.ts';
import { practiceIdempotencyKeys, practiceDays, practisedMelodies, users } from '#server/db/schema.ts';
import { paginate } from '#server/db/page.ts';
import type { PracticeAddition, PracticeDay } from '../contract.ts';
import {
  MAX_PRACTICE_SECONDS_PER_DAY,
  MAX_TIMES_SUNG_PER_DAY,
  PRACTICE_DAYS_PAGE_SIZE,
  MAX_PRACTISED_MELODIES,
} from '../limits.ts';

/**
 * Locks a student's log, so that only one transaction at a time changes it.
 * @returns whether the student wants practice to be counted
 */
export async function lockPracticeLog(tx: Db, userId: string) {
  const [row] = await tx
    .select({ keepsPracticeLog: users.keepsPracticeLog })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  return row?.keepsPracticeLog ?? false;
}

export const setKeepsPracticeLog = (db: Db, userId: string, keepsPracticeLog: boolean) =>
  db.update(users).set({ keepsPracticeLog }).where(eq(users.id, userId));

const whereUser = (userId: string) => eq(practisedMelodies.userId, userId);
const whereEntry = (userId: string, id: number) => and(whereUser(userId), eq(practisedMelodies.id, id));

const practisedColumns = {
  id: practisedMelodies.id,
  melodyId: practisedMelodies.melodyId,
  title: practisedMelodies.title,
  target: practisedMelodies.target,
  sungBefore: practisedMelodies.sungBefore,
};

/** Returns the practised melodies, most recently practised first. */
export function listPractisedMelodies(db: Db, userId: string) {
  const lastDay = sql<string | null>`max(${practiceDays.day})`;
  const latest = (column: AnyColumn) =>
    sql<number>`(array_agg(${column} order by ${practiceDays.day} desc))[1]`;
  return db
    .select({
      ...practisedColumns,
      seconds: sql`coalesce(sum(${practiceDays.seconds}), 0)`.mapWith(Number),
      times: sql`coalesce(sum(${practiceDays.times}), 0)`.mapWith(Number),
      lastDay,
      lastSeconds: latest(practiceDays.seconds),
      lastTimes: latest(practiceDays.times),
    })
    .from(practisedMelodies)
    .leftJoin(practiceDays, eq(practiceDays.practisedMelodyId, practisedMelodies.id))
    .where(whereUser(userId))
    .groupBy(practisedMelodies.id)
    .orderBy(sql`${lastDay} desc nulls last`, desc(practisedMelodies.id))
    .limit(MAX_PRACTISED_MELODIES);
}

export async function findPractisedMelody(db: Db, userId: string, id: number) {
  const [row] = await db.select(practisedColumns).from(practisedMelodies).where(whereEntry(userId, id));
  return row ?? null;
}

export const listPractisedMelodiesByMelodyId = (tx: Db, userId: string, melodyIds: number[]) =>
  tx
    .select({ id: practisedMelodies.id, melodyId: practisedMelodies.melodyId })
    .from(practisedMelodies)
    .where(and(whereUser(userId), inArray(practisedMelodies.melodyId, melodyIds)));

export const countPractisedMelodies = (tx: Db, userId: string) =>
  tx.$count(practisedMelodies, whereUser(userId));

/**
 * Adds a melody to the log, or updates its title.
 * @returns the id of the entry
 */
export async function upsertPractisedMelody(tx: Db, userId: string, melodyId: number, title: string) {
  const [row] = await tx
    .insert(practisedMelodies)
    .values({ userId, melodyId, title })
    .onConflictDoUpdate({ target: [practisedMelodies.userId, practisedMelodies.melodyId], set: { title } })
    .returning({ id: practisedMelodies.id });
  return row!.id;
}

/** @returns false if the user has no such entry */
export async function updatePractisedMelody(
  db: Db,
  userId: string,
  id: number,
  change: { target: number | null; sungBefore: number },
) {
  const { rowCount } = await db.update(practisedMelodies).set(change).where(whereEntry(userId, id));
  return rowCount !== 0;
}

/** @returns false if the user has no such entry */
export async function deletePractisedMelody(db: Db, userId: string, id: number) {
  const { rowCount } = await db.delete(practisedMelodies).where(whereEntry(userId, id));
  return rowCount !== 0;
}

export const deletePracticeLog = (db: Db, userId: string) =>
  db.delete(practisedMelodies).where(whereUser(userId));

/**
 * Stores the idempotency keys of additions.
 * @returns the additions whose key is new
 */
export async function insertPracticeIdempotencyKeys(
  tx: Db,
  userId: string,
  additions: readonly PracticeAddition[],
) {
  if (additions.length === 0) return [];
  const rows = await tx
    .insert(practiceIdempotencyKeys)
    .values(additions.map(({ clientId, day }) => ({ userId, clientId, day })))
    .onConflictDoNothing()
    .returning({ clientId: practiceIdempotencyKeys.clientId });
  const added = new Set(rows.map(({ clientId }) => clientId));
  // Returns an addition only once, even if its key occurs twice in one call.
  return additions.filter(({ clientId }) => added.delete(clientId.toLowerCase()));
}

export const deletePracticeIdempotencyKeysBefore = (tx: Db, userId: string, day: string) =>
  tx
    .delete(practiceIdempotencyKeys)
    .where(and(eq(practiceIdempotencyKeys.userId, userId), lt(practiceIdempotencyKeys.day, day)));

/**
 * Deletes a student's idempotency keys, except those of the latest additions (by day).
 * @param keepCount number of keys to keep
 */
export const trimPracticeIdempotencyKeys = (tx: Db, userId: string, keepCount: number) =>
  tx
    .delete(practiceIdempotencyKeys)
    .where(
      and(
        eq(practiceIdempotencyKeys.userId, userId),
        inArray(
          practiceIdempotencyKeys.clientId,
          tx
            .select({ clientId: practiceIdempotencyKeys.clientId })
            .from(practiceIdempotencyKeys)
            .where(eq(practiceIdempotencyKeys.userId, userId))
            .orderBy(desc(practiceIdempotencyKeys.day), practiceIdempotencyKeys.clientId)
            .offset(keepCount),
        ),
      ),
    );

/** Counts the days with practice in a student's log, summed over all melodies. */
export async function countPracticeLogEntries(tx: Db, userId: string): Promise<number> {
  const [row] = await tx
    .select({ days: count() })
    .from(practiceDays)
    .innerJoin(practisedMelodies, eq(practisedMelodies.id, practiceDays.practisedMelodyId))
    .where(whereUser(userId));
  return row!.days;
}

export const addToPracticeDay = (tx: Db, practisedMelodyId: number, { day, seconds, times }: PracticeDay) =>
  tx
    .insert(practiceDays)
    .values({ practisedMelodyId, day, seconds, times })
    .onConflictDoUpdate({
      target: [practiceDays.practisedMelodyId, practiceDays.day],
      set: {
        seconds: sql`least(${practiceDays.seconds} + excluded.seconds, ${MAX_PRACTICE_SECONDS_PER_DAY})`,
        times: sql`least(${practiceDays.times} + excluded.times, ${MAX_TIMES_SUNG_PER_DAY})`,
      },
    });

const whereDay = (practisedMelodyId: number, day: string) =>
  and(eq(practiceDays.practisedMelodyId, practisedMelodyId), eq(practiceDays.day, day));

const dayColumns = { day: practiceDays.day, seconds: practiceDays.seconds, times: practiceDays.times };

export async function findPracticeDay(tx: Db, practisedMelodyId: number, day: string) {
  const [row] = await tx.select(dayColumns).from(practiceDays).where(whereDay(practisedMelodyId, day));
  return row ?? null;
}

/** Sets the numbers of a day, or deletes the day if both are 0. */
export const setPracticeDay = (tx: Db, practisedMelodyId: number, { day, seconds, times }: PracticeDay) =>
  seconds === 0 && times === 0
    ? tx.delete(practiceDays).where(whereDay(practisedMelodyId, day))
    : tx
        .insert(practiceDays)
        .values({ practisedMelodyId, day, seconds, times })
        .onConflictDoUpdate({
          target: [practiceDays.practisedMelodyId, practiceDays.day],
          set: { seconds, times },
        });

/**
 * Returns a page of a melody's days, newest first. With `before`, returns only days earlier than this one.
 */
export async function listPracticeDays(db: Db, practisedMelodyId: number, before?: string) {
  const [days] = await db
    .select({ total: count() })
    .from(practiceDays)
    .where(eq(practiceDays.practisedMelodyId, practisedMelodyId));
  const found = await db
    .select(dayColumns)
    .from(practiceDays)
    .where(
      and(
        eq(practiceDays.practisedMelodyId, practisedMelodyId),
        before === undefined ? undefined : lt(practiceDays.day, before),
      ),
    )
    .orderBy(desc(practiceDays.day))
    .limit(PRACTICE_DAYS_PAGE_SIZE + 1);
  return paginate(found, PRACTICE_DAYS_PAGE_SIZE, days!.total, ({ day }) => ({ after: [day] }));
}

const EXPORT_PAGE_SIZE = 1_000;

/**
 * Returns a page of the days in a student's log with the melodies' titles, newest first.
 * @param after last row of the previous page
 */
export function listPracticeDaysOfUser(db: Db, userId: string, after?: { day: string; id: number }) {
  const order = [practiceDays.day, practiceDays.practisedMelodyId] as const;
  return db
    .select({ ...dayColumns, id: practisedMelodies.id, title: practisedMelodies.title })
    .from(practiceDays)
    .innerJoin(practisedMelodies, eq(practisedMelodies.id, practiceDays.practisedMelodyId))
    .where(and(whereUser(userId), after && isRowAfterDescending(order, [after.day, after.id])))
    .orderBy(...order.map((column) => desc(column)))
    .limit(EXPORT_PAGE_SIZE);
}

export const listSungBeforeCounts = (db: Db, userId: string) =>
  db
    .select({ title: practisedMelodies.title, sungBefore: practisedMelodies.sungBefore })
    .from(practisedMelodies)
    .where(and(whereUser(userId), gt(practisedMelodies.sungBefore, 0)))
    .orderBy(practisedMelodies.id)
    .limit(MAX_PRACTISED_MELODIES);
