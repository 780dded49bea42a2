import { and, eq, exists, sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { transmissionLevels, userTransmissionAccess } from '../../../db/schema.ts';

const columns = {
  id: transmissionLevels.id,
  name: transmissionLevels.name,
  description: transmissionLevels.description,
};

// Written out, because the query builder leaves out the table's name where only one table is selected from.
const melodiesOfLevel = sql<number>`(select count(*)::int from melodies where melodies.transmission_level_id = transmission_levels.id)`;

export const listLevels = (db: Db) =>
  db
    .select({ ...columns, melodyCount: melodiesOfLevel })
    .from(transmissionLevels)
    .orderBy(transmissionLevels.id);

export const listLevelsOf = (db: Db, userId: string) =>
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

/** Two that start at once: the second waits for the first and finds its levels. */
export async function insertLevelsIfNone(db: Db, levels: readonly { name: string; description: string }[]) {
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${transmissionLevels} in share row exclusive mode`);
    const [any] = await tx.select({ id: transmissionLevels.id }).from(transmissionLevels).limit(1);
    if (!any) await tx.insert(transmissionLevels).values([...levels]);
  });
}
