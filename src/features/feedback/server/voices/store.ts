import { and, eq, notInArray, sql, type Column, type SQL } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { markVoices, recordings } from '#server/db/schema.ts';
import type { Voice } from '#features/feedback/contract.ts';

/** The voices of feedback or held feedback. @param recordingId the column that names its recording */
export const voicesOf = (recordingId: Column): SQL<Voice[]> => sql`(
  select coalesce(json_agg(json_build_object(
    'id', voice.id,
    'audioUrl', voice.audio_url,
    'audioCopies', array(
      select made.copy from media_files as made where made.copy_of = voice.audio_url and made.damage is null),
    'duration', greatest(1, round(sound.duration_ms / 1000.0))::int,
    'peaks', sound.peaks)), '[]')
  from mark_voices as voice inner join media_files as sound on sound.name = voice.audio_url
  where voice.recording_id = ${recordingId})`;

export async function idsOf(db: Db, recordingId: number) {
  const rows = await db
    .select({ id: markVoices.id })
    .from(markVoices)
    .where(eq(markVoices.recordingId, recordingId));
  return rows.map(({ id }) => id);
}

/** The file of a voice; null if there is none. */
export async function fileOf(db: Db, recordingId: number, id: string) {
  const [row] = await db
    .select({ audioUrl: markVoices.audioUrl })
    .from(markVoices)
    .where(and(eq(markVoices.recordingId, recordingId), eq(markVoices.id, id)));
  return row?.audioUrl ?? null;
}

export const insertVoices = (tx: Db, rows: (typeof markVoices.$inferInsert)[]) =>
  rows.length === 0 ? null : tx.insert(markVoices).values(rows);

/** Deletes all but those of these ids. @returns the files of those deleted */
export async function deleteOthers(tx: Db, recordingId: number, ids: string[]) {
  const rows = await tx
    .delete(markVoices)
    .where(and(eq(markVoices.recordingId, recordingId), notInArray(markVoices.id, ids)))
    .returning({ audioUrl: markVoices.audioUrl });
  return rows.map(({ audioUrl }) => audioUrl);
}

/** The files of the voices on these recordings, locked with their rows until the transaction ends. */
async function holdFiles(tx: Db, isMeant: SQL) {
  const rows = await tx
    .select({ audioUrl: markVoices.audioUrl })
    .from(markVoices)
    .innerJoin(recordings, eq(recordings.id, markVoices.recordingId))
    .where(isMeant)
    .orderBy(markVoices.recordingId, markVoices.id)
    .for('update', { of: markVoices });
  return rows.map(({ audioUrl }) => audioUrl);
}

export const holdFileOf = (tx: Db, recordingId: number) => holdFiles(tx, eq(recordings.id, recordingId));

export const holdFilesOf = (tx: Db, studentId: string) => holdFiles(tx, eq(recordings.studentId, studentId));
