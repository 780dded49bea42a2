import { and, desc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import {
  lineMatchingJobs,
  mediaFiles,
  melodies,
  recordingLines,
  recordings,
  soundFeatures,
  type RecordingLine,
} from '#server/db/schema.ts';
import { createJobQueue } from '#server/jobs/job-queue.ts';
import { mergeCorrections } from '../correction.ts';

/** SQL condition that the melody has audio and timings. */
const isTimed = and(isNotNull(melodies.audioUrl), isNotNull(melodies.timings));

/** Queues recordings whose melody is timed. A job that is already running is repeated. */
async function queueRecordings(tx: Db, which: SQL): Promise<void> {
  await tx
    .insert(lineMatchingJobs)
    .select(
      tx
        .select({
          id: sql<number>`nextval('line_jobs_id_seq')`.as('id'),
          recordingId: recordings.id,
          attempts: sql<number>`0`.as('attempts'),
          dueAt: sql<Date>`to_timestamp(0)`.as('due_at'),
        })
        .from(recordings)
        .innerJoin(melodies, eq(melodies.id, recordings.melodyId))
        .where(and(which, isTimed))
        .orderBy(recordings.id)
        // Waits for a recording that is being deleted, and then skips it.
        .for('key share', { of: recordings }),
    )
    .onConflictDoUpdate({
      target: lineMatchingJobs.recordingId,
      set: { attempts: 0, dueAt: sql`to_timestamp(0)` },
    });
}

export const queueLineSearch = (tx: Db, recordingId: number) =>
  queueRecordings(tx, eq(recordings.id, recordingId));
export const queueLineSearchesOfMelody = (tx: Db, melodyId: number) =>
  queueRecordings(tx, eq(recordings.melodyId, melodyId));

/**
 * Returns what is known about the lines of a recording.
 * @param studentId the required owner; null for any
 * @returns null if there is no such recording
 */
export async function findLinesState(db: Db, recordingId: number, studentId: string | null) {
  const [found] = await db
    .select({
      isTimed: sql<boolean>`coalesce(${isTimed}, false)`,
      isQueued: sql<boolean>`${lineMatchingJobs.id} is not null`,
      lines: recordingLines.lines,
      levelId: melodies.transmissionLevelId,
    })
    .from(recordings)
    .leftJoin(melodies, eq(melodies.id, recordings.melodyId))
    .leftJoin(lineMatchingJobs, eq(lineMatchingJobs.recordingId, recordings.id))
    .leftJoin(recordingLines, eq(recordingLines.recordingId, recordings.id))
    .where(
      and(
        eq(recordings.id, recordingId),
        studentId === null ? undefined : eq(recordings.studentId, studentId),
      ),
    );
  return found ?? null;
}

/** Returns the student and the status of a recording; null if there is no such recording. */
export async function findRecordingOwner(db: Db, recordingId: number) {
  const [found] = await db
    .select({ studentId: recordings.studentId, status: recordings.status })
    .from(recordings)
    .where(eq(recordings.id, recordingId));
  return found ?? null;
}

/**
 * Locks and returns the lines of a recording, empty if none are known, and its duration in seconds; null if
 * there is no such recording.
 */
export async function lockLines(tx: Db, recordingId: number) {
  const [locked] = await tx
    .select({ lines: recordingLines.lines })
    .from(recordingLines)
    .where(eq(recordingLines.recordingId, recordingId))
    .for('update');
  const [found] = await tx
    .select({
      seconds: sql<number>`coalesce(${mediaFiles.durationMs} / 1000.0, ${recordings.duration})::float8`,
    })
    .from(recordings)
    .leftJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl))
    .where(eq(recordings.id, recordingId));
  return found ? { ...found, lines: locked?.lines ?? [] } : null;
}

export const saveLines = (tx: Db, recordingId: number, lines: RecordingLine[]) =>
  tx.update(recordingLines).set({ lines }).where(eq(recordingLines.recordingId, recordingId));

/**
 * Renumbers the lines of all recordings of a melody.
 * @param newNumbers the new number of each line, from 0; null for a deleted line
 */
export async function renumberRecordingLines(
  tx: Db,
  melodyId: number,
  newNumbers: readonly (number | null)[],
) {
  if (newNumbers.every((now, line) => now === line)) return;
  await tx.execute(sql`
    update recording_lines set lines = coalesce((
      select jsonb_agg(jsonb_set(each.value, '{line}', moved.now -> (each.value ->> 'line')::int) order by each.at)
      from jsonb_array_elements(recording_lines.lines) with ordinality as each (value, at)
      where jsonb_typeof(moved.now -> (each.value ->> 'line')::int) = 'number'
    ), '[]')
    from recordings, (select ${JSON.stringify(newNumbers)}::jsonb as now) as moved
    where recordings.id = recording_lines.recording_id and recordings.melody_id = ${melodyId}`);
}

/** Returns the lines of these recordings, except those whose lines are being found again. */
export async function listFoundLines(db: Db, recordingIds: readonly number[]) {
  const rows = await db
    .select({
      recordingId: recordings.id,
      melodyId: melodies.id,
      lines: recordingLines.lines,
      timings: melodies.timings,
    })
    .from(recordingLines)
    .innerJoin(recordings, eq(recordings.id, recordingLines.recordingId))
    .innerJoin(melodies, eq(melodies.id, recordings.melodyId))
    .leftJoin(lineMatchingJobs, eq(lineMatchingJobs.recordingId, recordings.id))
    .where(and(inArray(recordingLines.recordingId, [...recordingIds]), isNull(lineMatchingJobs.id), isTimed));
  return rows.map((row) => ({ ...row, timings: row.timings ?? [] }));
}

/** Returns the texts of these melodies, by id. */
export async function listMelodyTexts(db: Db, melodyIds: readonly number[]) {
  const rows = await db
    .select({ id: melodies.id, melodyText: melodies.melodyText })
    .from(melodies)
    .where(inArray(melodies.id, [...melodyIds]));
  return new Map(rows.map(({ id, melodyText }) => [id, melodyText]));
}

/**
 * Creates the job queue, newest first, so that a recording that was just sent gets its lines soonest. A job
 * that is queued again while leased is due immediately.
 */
export const createLineJobQueue = (db: Db) =>
  createJobQueue(db, lineMatchingJobs, { order: [desc(lineMatchingJobs.id)] });

export type LineJob = typeof lineMatchingJobs.$inferSelect;

/**
 * Finishes a job and stores its lines, merged with all corrections made until now. Does nothing if the
 * recording was queued again during the job.
 * @param tell called in the transaction if the job was finished
 */
export const finishLineJob = (
  db: Db,
  job: LineJob,
  found: RecordingLine[],
  tell: (tx: Db) => Promise<unknown>,
) =>
  db.transaction(async (tx) => {
    // Locks the recording first, to lock in the same order as its deletion.
    await tx
      .select({ id: recordings.id })
      .from(recordings)
      .where(eq(recordings.id, job.recordingId))
      .for('key share');
    if (!(await createLineJobQueue(tx).finish(job))) return;
    const lines = mergeCorrections(found, await lockCorrectedLines(tx, job.recordingId));
    await tx
      .insert(recordingLines)
      .values({ recordingId: job.recordingId, lines })
      .onConflictDoUpdate({ target: recordingLines.recordingId, set: { lines } });
    await tell(tx);
  });

/** Locks a recording's lines, and returns the corrected ones whose line still has a timing in the melody. */
async function lockCorrectedLines(tx: Db, recordingId: number) {
  const [before] = await tx
    .select({ lines: recordingLines.lines, timings: melodies.timings })
    .from(recordingLines)
    .innerJoin(recordings, eq(recordings.id, recordingLines.recordingId))
    .innerJoin(melodies, eq(melodies.id, recordings.melodyId))
    .where(eq(recordingLines.recordingId, recordingId))
    .for('update', { of: recordingLines });
  const known = new Set(before?.timings?.map(({ line }) => line));
  return (before?.lines ?? []).filter(({ line, isCorrected }) => isCorrected && known.has(line));
}

/** Returns the audio files and timings for a job; null if there is nothing left to find. */
export async function findLineJobInput(db: Db, recordingId: number) {
  const [found] = await db
    .select({ recording: recordings.audioUrl, melody: melodies.audioUrl, timings: melodies.timings })
    .from(recordings)
    .innerJoin(melodies, eq(melodies.id, recordings.melodyId))
    .where(and(eq(recordings.id, recordingId), isTimed));
  if (!found?.melody || !found.timings) return null;
  const sounds = await db
    .select({
      name: mediaFiles.name,
      size: mediaFiles.size,
      sha256: mediaFiles.sha256,
      durationMs: mediaFiles.durationMs,
    })
    .from(mediaFiles)
    .where(inArray(mediaFiles.name, [found.recording, found.melody]));
  const soundOf = (name: string) => sounds.find((sound) => sound.name === name);
  const [recording, melody] = [soundOf(found.recording), soundOf(found.melody)];
  return recording && melody ? { recording, melody, timings: found.timings } : null;
}

export async function findSoundFeatures(db: Db, name: string): Promise<Uint8Array | null> {
  const [found] = await db
    .select({ features: soundFeatures.features })
    .from(soundFeatures)
    .where(eq(soundFeatures.name, name));
  return found?.features ?? null;
}

/** Stores an audio file's features, unless the file has been deleted. */
export const saveSoundFeatures = (db: Db, name: string, features: Uint8Array) =>
  db.transaction(async (tx) => {
    const still = tx
      .select({ name: mediaFiles.name })
      .from(mediaFiles)
      .where(eq(mediaFiles.name, name))
      .for('key share');
    if ((await still).length === 0) return;
    await tx
      .insert(soundFeatures)
      .values({ name, features })
      .onConflictDoUpdate({ target: soundFeatures.name, set: { features } });
  });
