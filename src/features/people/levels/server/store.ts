import { and, eq, exists, inArray, ne, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { transmissionLevels, userTransmissionAccess } from '#server/db/schema.ts';

const columns = {
  id: transmissionLevels.id,
  name: transmissionLevels.name,
  description: transmissionLevels.description,
  neverKept: transmissionLevels.neverKept,
};

// Raw SQL, because the query builder omits table names when selecting from a single table. Without them, `id`
// in the subquery would be the id of the melody.
const levelMelodyCount = sql<number>`(select count(*)::int from melodies where melodies.transmission_level_id = transmission_levels.id)`;

export const listLevels = (db: Db) =>
  db
    .select({ ...columns, melodyCount: levelMelodyCount })
    .from(transmissionLevels)
    .orderBy(transmissionLevels.id);

export async function findLevel(db: Db, id: number) {
  const [row] = await db
    .select({ ...columns, melodyCount: levelMelodyCount })
    .from(transmissionLevels)
    .where(eq(transmissionLevels.id, id));
  return row ?? null;
}

/**
 * Locks the table of levels until the transaction ends. Other transactions can read and reference levels, but
 * not add, change or delete them.
 */
export const lockLevelsTable = (tx: Db) =>
  tx.execute(sql`lock table ${transmissionLevels} in share row exclusive mode`);

/**
 * Returns whether a level other than `except` has the name, ignoring case.
 * Call {@link lockLevelsTable} first.
 */
export async function isLevelNameTaken(tx: Db, name: string, except?: number) {
  const rows = await tx
    .select({ id: transmissionLevels.id })
    .from(transmissionLevels)
    .where(
      and(
        eq(sql`lower(${transmissionLevels.name})`, sql`lower(${name})`),
        except === undefined ? undefined : ne(transmissionLevels.id, except),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

type LevelFields = { name: string; description: string | null; neverKept: boolean };

export async function insertLevel(tx: Db, level: LevelFields) {
  const [row] = await tx.insert(transmissionLevels).values(level).returning({ id: transmissionLevels.id });
  return row!.id;
}

export const updateLevel = (tx: Db, id: number, level: LevelFields) =>
  tx.update(transmissionLevels).set(level).where(eq(transmissionLevels.id, id));

/** @returns the level's name, or null if there is no such level */
export async function deleteLevel(tx: Db, id: number) {
  const [row] = await tx
    .delete(transmissionLevels)
    .where(eq(transmissionLevels.id, id))
    .returning({ name: transmissionLevels.name });
  return row?.name ?? null;
}

export const listLevelsOfUser = (db: Db, userId: string) =>
  db
    .select(columns)
    .from(transmissionLevels)
    .where(
      exists(
        db
          .select({ one: sql`1` })
          .from(userTransmissionAccess)
          .where(
            and(
              eq(userTransmissionAccess.userId, userId),
              eq(userTransmissionAccess.transmissionLevelId, transmissionLevels.id),
            ),
          ),
      ),
    )
    .orderBy(transmissionLevels.id);

/** Returns the ids of the users who have access to any of these levels. */
export async function listUserIdsWithLevelAccess(tx: Db, levelIds: readonly number[]) {
  const rows = await tx
    .selectDistinct({ userId: userTransmissionAccess.userId })
    .from(userTransmissionAccess)
    .where(inArray(userTransmissionAccess.transmissionLevelId, [...levelIds]));
  return rows.map(({ userId }) => userId);
}

/**
 * Inserts the levels if the table is empty. Of two concurrent calls, the second waits and finds the levels of
 * the first.
 */
export async function insertLevelsIfNone(db: Db, levels: readonly { name: string; description: string }[]) {
  await db.transaction(async (tx) => {
    await lockLevelsTable(tx);
    const [any] = await tx.select({ id: transmissionLevels.id }).from(transmissionLevels).limit(1);
    if (!any) await tx.insert(transmissionLevels).values([...levels]);
  });
}
