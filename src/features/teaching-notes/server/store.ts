import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import { selectSoundCopies, selectWholeSeconds } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import { mediaFiles, melodies, teachingNotes } from '#server/db/schema.ts';
import type { TeachingNote } from '../contract.ts';

async function select(db: Db, where: SQL): Promise<(TeachingNote & { melodyId: number })[]> {
  const rows = await db
    .select({
      id: teachingNotes.id,
      melodyId: teachingNotes.melodyId,
      line: teachingNotes.line,
      text: teachingNotes.text,
      audioUrl: teachingNotes.audioUrl,
      audioCopies: selectSoundCopies(teachingNotes.audioUrl),
      duration: selectWholeSeconds(mediaFiles.durationMs),
      peaks: mediaFiles.peaks,
    })
    .from(teachingNotes)
    .leftJoin(mediaFiles, eq(mediaFiles.name, teachingNotes.audioUrl))
    .where(where)
    .orderBy(asc(teachingNotes.line), asc(teachingNotes.position), asc(teachingNotes.id));
  return rows.map(({ audioUrl, audioCopies, duration, peaks, ...note }) => ({
    ...note,
    voice: audioUrl === null ? null : { audioUrl, audioCopies, duration: duration ?? 1, peaks },
  }));
}

export const listNotes = (db: Db, melodyId: number) => select(db, eq(teachingNotes.melodyId, melodyId));

export const findNote = async (db: Db, id: number) => (await select(db, eq(teachingNotes.id, id)))[0] ?? null;

export const findNoteByClientId = async (db: Db, clientId: string) =>
  (await select(db, eq(teachingNotes.clientId, clientId)))[0] ?? null;

/**
 * Locks a melody's row until the transaction ends, so that the number of its notes can be limited. Returns null
 * if there is no such melody.
 */
export async function lockMelodyForNotes(tx: Db, melodyId: number) {
  const [row] = await tx
    .select({ levelId: melodies.transmissionLevelId, melodyText: melodies.melodyText })
    .from(melodies)
    .where(eq(melodies.id, melodyId))
    .for('no key update');
  return row ?? null;
}

export const countNotes = (db: Db, melodyId: number) =>
  db.$count(teachingNotes, eq(teachingNotes.melodyId, melodyId));

export async function insertNote(tx: Db, row: Omit<typeof teachingNotes.$inferInsert, 'position'>) {
  const [made] = await tx
    .insert(teachingNotes)
    .values({ ...row, position: await countNotes(tx, row.melodyId) })
    .returning({ id: teachingNotes.id });
  return made!.id;
}

export const updateNote = (tx: Db, id: number, set: Partial<typeof teachingNotes.$inferInsert>) =>
  tx.update(teachingNotes).set(set).where(eq(teachingNotes.id, id));

/** Sets the order of a melody's notes. Ignores ids of other melodies' notes. */
export const setNoteOrder = (tx: Db, melodyId: number, ids: readonly number[]) =>
  tx
    .update(teachingNotes)
    .set({ position: sql`array_position(${sql.param(ids)}::int[], ${teachingNotes.id})` })
    .where(
      and(eq(teachingNotes.melodyId, melodyId), sql`${teachingNotes.id} = any(${sql.param(ids)}::int[])`),
    );

/** @returns the note's idempotency key; null if there was no such note */
export async function deleteNote(tx: Db, id: number) {
  const [row] = await tx
    .delete(teachingNotes)
    .where(eq(teachingNotes.id, id))
    .returning({ clientId: teachingNotes.clientId });
  return row?.clientId ?? null;
}

export async function listNoteFiles(tx: Db, melodyId: number) {
  const rows = await tx
    .select({ audioUrl: teachingNotes.audioUrl })
    .from(teachingNotes)
    .where(eq(teachingNotes.melodyId, melodyId));
  return rows.map(({ audioUrl }) => audioUrl);
}

export async function renumberNoteLines(tx: Db, melodyId: number, moved: (line: number) => number) {
  const rows = await tx
    .select({ id: teachingNotes.id, line: teachingNotes.line })
    .from(teachingNotes)
    .where(eq(teachingNotes.melodyId, melodyId));
  for (const { id, line } of rows) await updateNote(tx, id, { line: moved(line) });
}
