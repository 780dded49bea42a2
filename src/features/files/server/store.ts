import { eq, inArray } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mediaFiles } from '../../../db/schema.ts';

export async function findFile(db: Db, name: string) {
  const [row] = await db.select().from(mediaFiles).where(eq(mediaFiles.name, name));
  return row ?? null;
}

/** The names that are files, with their slots. */
export async function findSlots(db: Db, names: string[]) {
  const rows = await db
    .select({ name: mediaFiles.name, slot: mediaFiles.slot })
    .from(mediaFiles)
    .where(inArray(mediaFiles.name, names));
  return new Map(rows.map(({ name, slot }) => [name, slot]));
}

export type Slot = (typeof mediaFiles.$inferSelect)['slot'];
