import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { favourites, todaysMelodies } from '#server/db/schema.ts';

export const lockChosenMelodies = (tx: Db, userId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`chosen melodies ${userId}`}, 0))`);

export const listFavourites = (db: Db, userId: string) =>
  db
    .select({ melodyId: favourites.melodyId })
    .from(favourites)
    .where(eq(favourites.userId, userId))
    .orderBy(desc(favourites.createdAt), desc(favourites.melodyId));

const matchesFavourite = (userId: string, melodyId: number) =>
  and(eq(favourites.userId, userId), eq(favourites.melodyId, melodyId));

export const isFavourite = async (tx: Db, userId: string, melodyId: number) =>
  (await tx.$count(favourites, matchesFavourite(userId, melodyId))) > 0;

export const countFavourites = (tx: Db, userId: string) =>
  tx.$count(favourites, eq(favourites.userId, userId));

export const insertFavourite = (tx: Db, userId: string, melodyId: number) =>
  tx.insert(favourites).values({ userId, melodyId });

export const deleteFavourite = (db: Db, userId: string, melodyId: number) =>
  db.delete(favourites).where(matchesFavourite(userId, melodyId));

export const listTodaysMelodies = (db: Db, userId: string) =>
  db
    .select({ melodyId: todaysMelodies.melodyId, times: todaysMelodies.times })
    .from(todaysMelodies)
    .where(eq(todaysMelodies.userId, userId))
    .orderBy(asc(todaysMelodies.place));

const matchesTodaysMelody = (userId: string, melodyId: number) =>
  and(eq(todaysMelodies.userId, userId), eq(todaysMelodies.melodyId, melodyId));

export const countTodaysMelodies = (tx: Db, userId: string) =>
  tx.$count(todaysMelodies, eq(todaysMelodies.userId, userId));

/** @returns whether the melody is on the list */
export async function updateTodaysRepetitions(tx: Db, userId: string, melodyId: number, times: number) {
  const { rowCount } = await tx
    .update(todaysMelodies)
    .set({ times })
    .where(matchesTodaysMelody(userId, melodyId));
  return rowCount !== 0;
}

export const appendToTodaysList = (tx: Db, userId: string, melodyId: number, times: number) =>
  tx.insert(todaysMelodies).values({
    userId,
    melodyId,
    times,
    place: sql`(select coalesce(max(place), 0) + 1 from ${todaysMelodies} where ${todaysMelodies.userId} = ${userId})`,
  });

export const removeFromTodaysList = (db: Db, userId: string, melodyId: number) =>
  db.delete(todaysMelodies).where(matchesTodaysMelody(userId, melodyId));

export const reorderTodaysList = (tx: Db, userId: string, melodyIds: number[]) =>
  tx.execute(sql`
    update todays_melodies set place = ordered.place from (
      select melody_id, row_number() over (order by
        array_position(${sql.param(melodyIds)}::int[], melody_id) nulls last, place) as place
      from todays_melodies where user_id = ${userId}
    ) as ordered
    where user_id = ${userId} and todays_melodies.melody_id = ordered.melody_id`);
