import { and, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { mediaFiles } from '#server/db/schema.ts';
import type { SoundCopy } from '#shared/media.ts';

const columns = {
  name: mediaFiles.name,
  slot: mediaFiles.slot,
  contentType: mediaFiles.contentType,
  size: mediaFiles.size,
  sha256: mediaFiles.sha256,
  damage: mediaFiles.damage,
};

/** Prepares a query that finds files by name. It leaves out unknown names. */
export function prepareFindFiles(db: Db) {
  const statement = db
    .select(columns)
    .from(mediaFiles)
    .where(sql`${mediaFiles.name} = any(${sql.placeholder('names')})`)
    .prepare('files_named');
  return async (names: string[]): Promise<Map<string, MediaFile>> => {
    const rows = await statement.execute({ names: [...new Set(names)] });
    return new Map(rows.map((row) => [row.name, row]));
  };
}

export function prepareFindCopy(db: Db) {
  const statement = db
    .select(columns)
    .from(mediaFiles)
    .where(
      sql`${mediaFiles.copyOf} = ${sql.placeholder('original')} and ${mediaFiles.copy} = ${sql.placeholder('copy')}`,
    )
    .prepare('file_copy');
  return async (original: string, copy: string): Promise<MediaFile | null> =>
    (await statement.execute({ original, copy }))[0] ?? null;
}

/** Returns the undamaged copies of these audio files. */
export const listUndamagedCopies = (db: Db, originals: readonly string[]) =>
  db
    .select({
      ...columns,
      copyOf: sql<string>`${mediaFiles.copyOf}`,
      copy: sql<SoundCopy>`${mediaFiles.copy}`,
    })
    .from(mediaFiles)
    .where(and(inArray(mediaFiles.copyOf, [...originals]), isNull(mediaFiles.damage)));

export type MediaFile = Pick<typeof mediaFiles.$inferSelect, keyof typeof columns>;
export type MediaSlot = MediaFile['slot'];
