import { eq } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mediaFiles } from '../../../db/schema.ts';

export async function findFile(db: Db, name: string) {
  const [row] = await db.select().from(mediaFiles).where(eq(mediaFiles.name, name));
  return row ?? null;
}

export type Slot = (typeof mediaFiles.$inferSelect)['slot'];
