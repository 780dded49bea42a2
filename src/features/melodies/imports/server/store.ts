import { desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { mediaFiles, melodies, recordings } from '#server/db/schema.ts';
import { MAX_IMPORTS_SHOWN } from '../limits.ts';

/** Lists the latest imports whose melodies have not been changed or deleted, newest first. */
export function listImports(db: Db) {
  const addedAt = sql`max(${melodies.createdAt})`.mapWith(melodies.createdAt);
  return db
    .select({ id: sql<string>`${melodies.importId}`, melodies: sql<number>`count(*)::int`, addedAt })
    .from(melodies)
    .where(isNotNull(melodies.importId))
    .groupBy(melodies.importId)
    .orderBy(desc(addedAt))
    .limit(MAX_IMPORTS_SHOWN);
}

/**
 * Returns which of the given audio hashes are in the library, each with the title of a melody that has this
 * audio.
 */
export const findKnownSounds = (db: Db, hashes: string[]) =>
  db
    .selectDistinctOn([mediaFiles.sha256], { sha256: mediaFiles.sha256, title: melodies.title })
    .from(melodies)
    .innerJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl))
    .where(inArray(mediaFiles.sha256, hashes))
    .orderBy(mediaFiles.sha256, melodies.id);

/** Returns which of the given folded titles are in the library. */
export async function findKnownTitles(db: Db, folded: string[]) {
  const rows = await db
    .selectDistinct({ title: sql<string>`${melodies.foldedTitle}` })
    .from(melodies)
    .where(inArray(melodies.foldedTitle, folded));
  return new Set(rows.map(({ title }) => title));
}

/** Locks the melodies of an import until the transaction ends, and returns them. */
export const lockMelodiesOfImport = (tx: Db, importId: string) =>
  tx
    .select({
      id: melodies.id,
      createdBy: melodies.createdBy,
      clientId: melodies.clientId,
      transmissionLevelId: melodies.transmissionLevelId,
      audioUrl: melodies.audioUrl,
      thumbnailUrl: melodies.thumbnailUrl,
    })
    .from(melodies)
    .where(eq(melodies.importId, importId))
    .orderBy(melodies.id)
    .for('update');

export const countRecordingsOfMelodies = (tx: Db, melodyIds: number[]) =>
  tx.$count(recordings, inArray(recordings.melodyId, melodyIds));

export const deleteMelodies = (tx: Db, ids: number[]) => tx.delete(melodies).where(inArray(melodies.id, ids));
