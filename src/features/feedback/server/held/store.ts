import { and, asc, count, desc, eq, inArray, lte, sql } from 'drizzle-orm';
import { wholeSeconds } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import { heldFeedback, mediaFiles, recordings } from '#server/db/schema.ts';
import { HELD_MAX } from '#features/feedback/limits.ts';
import { voicesOf } from '../voices/store.ts';

export type Held = typeof heldFeedback.$inferSelect;

/** @throws where feedback on the recording is held already */
export const insertHeld = (tx: Db, row: Held) => tx.insert(heldFeedback).values(row);

const select = (db: Db) =>
  db
    .select({
      recordingId: heldFeedback.recordingId,
      writtenFeedback: heldFeedback.writtenFeedback,
      marks: heldFeedback.marks,
      voices: voicesOf(heldFeedback.recordingId),
      audioFeedbackUrl: heldFeedback.audioFeedbackUrl,
      audioFeedbackDuration: wholeSeconds(mediaFiles.durationMs),
      peaks: mediaFiles.peaks,
      dueAt: heldFeedback.dueAt,
    })
    .from(heldFeedback)
    .leftJoin(mediaFiles, eq(mediaFiles.name, heldFeedback.audioFeedbackUrl));

/** Newest first. */
export const listHeld = (db: Db, adminId: string) =>
  select(db)
    .where(eq(heldFeedback.adminId, adminId))
    .orderBy(desc(heldFeedback.dueAt), desc(heldFeedback.recordingId))
    .limit(HELD_MAX);

export async function findHeld(db: Db, recordingId: number) {
  const [row] = await select(db).where(eq(heldFeedback.recordingId, recordingId));
  return row ?? null;
}

export async function findHeldByClientId(db: Db, adminId: string, clientId: string) {
  const [row] = await select(db).where(
    and(eq(heldFeedback.adminId, adminId), eq(heldFeedback.clientId, clientId)),
  );
  return row ?? null;
}

export async function countHeld(db: Db, adminId: string) {
  const [row] = await db
    .select({ count: count() })
    .from(heldFeedback)
    .where(eq(heldFeedback.adminId, adminId));
  return row!.count;
}

export async function isHeld(tx: Db, recordingId: number) {
  const rows = await tx
    .select({ recordingId: heldFeedback.recordingId })
    .from(heldFeedback)
    .where(eq(heldFeedback.recordingId, recordingId));
  return rows.length > 0;
}

/** Deletes the row, so that of several who want it one has it. To be called under the lock of its recording. */
export async function takeHeld(
  tx: Db,
  recordingId: number,
  only: { adminId?: string; clientIds?: string[] } = {},
): Promise<Held | null> {
  const [row] = await tx
    .delete(heldFeedback)
    .where(
      and(
        eq(heldFeedback.recordingId, recordingId),
        only.adminId === undefined ? undefined : eq(heldFeedback.adminId, only.adminId),
        only.clientIds && inArray(heldFeedback.clientId, only.clientIds),
      ),
    )
    .returning();
  return row ?? null;
}

/** The recordings whose feedback is due, the longest overdue first. */
export async function listDue(db: Db, now: Date, most: number) {
  const rows = await db
    .select({ recordingId: heldFeedback.recordingId })
    .from(heldFeedback)
    .where(lte(heldFeedback.dueAt, now))
    .orderBy(asc(heldFeedback.dueAt))
    .limit(most);
  return rows.map((row) => row.recordingId);
}

export async function nextDue(db: Db) {
  const [row] = await db
    .select({ at: sql<Date | null>`min(${heldFeedback.dueAt})`.mapWith(heldFeedback.dueAt) })
    .from(heldFeedback);
  return row?.at ?? null;
}

export const postpone = (db: Db, recordingId: number, dueAt: Date) =>
  db.update(heldFeedback).set({ dueAt }).where(eq(heldFeedback.recordingId, recordingId));

/** Its sound, locked with the row until the transaction ends. */
export async function holdFileOf(tx: Db, recordingId: number) {
  const rows = await tx
    .select({ name: heldFeedback.audioFeedbackUrl })
    .from(heldFeedback)
    .where(eq(heldFeedback.recordingId, recordingId))
    .for('update');
  return rows.map((row) => row.name);
}

/** The sounds for a student, locked with their rows until the transaction ends. */
export async function holdFilesOf(tx: Db, studentId: string) {
  const rows = await tx
    .select({ name: heldFeedback.audioFeedbackUrl })
    .from(heldFeedback)
    .innerJoin(recordings, eq(recordings.id, heldFeedback.recordingId))
    .where(eq(recordings.studentId, studentId))
    .orderBy(heldFeedback.recordingId)
    .for('update', { of: heldFeedback });
  return rows.map((row) => row.name);
}
