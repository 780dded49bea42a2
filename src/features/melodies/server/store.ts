import { and, desc, eq, exists, or, sql, type SQL } from 'drizzle-orm';
import { wholeSeconds } from '../../../db/columns.ts';
import type { Db } from '../../../db/database.ts';
import { mediaFiles, melodies, transmissionLevels, userTransmissionAccess } from '../../../db/schema.ts';

/** Whose eyes a query sees with: all levels, or those granted to one student. */
export type Viewer = { id: string; role: 'admin' | 'student' };

const columns = {
  id: melodies.id,
  title: melodies.title,
  description: melodies.description,
  transmissionLevelId: melodies.transmissionLevelId,
  transmissionLevel: { id: transmissionLevels.id, name: transmissionLevels.name },
  vimeoUrl: melodies.vimeoUrl,
  melodyText: melodies.melodyText,
  audioUrl: melodies.audioUrl,
  thumbnailUrl: melodies.thumbnailUrl,
  duration: wholeSeconds(mediaFiles.durationMs),
  createdAt: melodies.createdAt,
};

export async function insertMelody(db: Db, melody: typeof melodies.$inferInsert) {
  const [row] = await db.insert(melodies).values(melody).returning({ id: melodies.id });
  return row!.id;
}

/** Newest first. */
export const listMelodies = (db: Db, viewer: Viewer, levelId?: number) =>
  selectMelodies(db)
    .where(
      and(mayHear(db, viewer), levelId === undefined ? undefined : eq(melodies.transmissionLevelId, levelId)),
    )
    .orderBy(desc(melodies.createdAt), desc(melodies.id));

export async function findMelody(db: Db, viewer: Viewer, id: number) {
  const [row] = await selectMelodies(db).where(and(eq(melodies.id, id), mayHear(db, viewer)));
  if (!row) return null;
  const [audio] = await db
    .select({ peaks: mediaFiles.peaks, seeksExactly: mediaFiles.seeksExactly, timings: melodies.timings })
    .from(melodies)
    .leftJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl))
    .where(eq(melodies.id, id));
  return {
    ...row,
    peaks: audio?.peaks ?? null,
    timings: audio?.timings ?? null,
    seeksExactly: audio?.seeksExactly ?? true,
  };
}

/** The id, if the viewer may hear the melody; it can't be deleted before the transaction ends. */
export async function holdMelody(tx: Db, viewer: Viewer, id: number) {
  const [row] = await tx
    .select({ id: melodies.id })
    .from(melodies)
    .where(and(eq(melodies.id, id), mayHear(tx, viewer)))
    .for('key share', { of: melodies });
  return row?.id ?? null;
}

/** Whether a melody that the viewer may hear has this file as its audio or its thumbnail. */
export async function hasFile(db: Db, viewer: Viewer, name: string) {
  const rows = await db
    .select({ id: melodies.id })
    .from(melodies)
    .where(and(or(eq(melodies.audioUrl, name), eq(melodies.thumbnailUrl, name)), mayHear(db, viewer)))
    .limit(1);
  return rows.length > 0;
}

const selectMelodies = (db: Db) =>
  db
    .select(columns)
    .from(melodies)
    .innerJoin(transmissionLevels, eq(transmissionLevels.id, melodies.transmissionLevelId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, melodies.audioUrl));

/** The one rule of who may hear a melody. */
function mayHear(db: Db, viewer: Viewer): SQL | undefined {
  if (viewer.role === 'admin') return undefined;
  return exists(
    db
      .select({ one: sql`1` })
      .from(userTransmissionAccess)
      .where(
        and(
          eq(userTransmissionAccess.userId, viewer.id),
          eq(userTransmissionAccess.transmissionLevelId, melodies.transmissionLevelId),
        ),
      ),
  );
}
