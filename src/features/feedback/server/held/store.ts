import { and, asc, desc, eq, inArray, lte, sql } from 'drizzle-orm';
import { selectWholeSeconds } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import { heldFeedback, mediaFiles, recordings } from '#server/db/schema.ts';
import { MAX_HELD_REPLIES } from '#features/feedback/limits.ts';
import { selectVoiceComments } from '../store.ts';

export type HeldFeedbackRow = typeof heldFeedback.$inferSelect;

/** @throws if feedback on the recording is already held */
export const insertHeldFeedback = (tx: Db, row: HeldFeedbackRow) => tx.insert(heldFeedback).values(row);

/** Filter for held feedback; absent fields match anything. */
type HeldFilter = { recordingId?: number; adminId?: string; clientIds?: string[] };

const matchesFilter = ({ recordingId, adminId, clientIds }: HeldFilter) =>
  and(
    recordingId === undefined ? undefined : eq(heldFeedback.recordingId, recordingId),
    adminId === undefined ? undefined : eq(heldFeedback.adminId, adminId),
    clientIds && inArray(heldFeedback.clientId, clientIds),
  );

/** Lists at most MAX_HELD_REPLIES held replies, latest due time first. */
export const listHeldFeedback = (db: Db, which: HeldFilter) =>
  db
    .select({
      recordingId: heldFeedback.recordingId,
      writtenFeedback: heldFeedback.writtenFeedback,
      marks: heldFeedback.marks,
      voices: selectVoiceComments(heldFeedback.recordingId),
      audioFeedbackUrl: heldFeedback.audioFeedbackUrl,
      audioFeedbackDuration: selectWholeSeconds(mediaFiles.durationMs),
      peaks: mediaFiles.peaks,
      dueAt: heldFeedback.dueAt,
    })
    .from(heldFeedback)
    .leftJoin(mediaFiles, eq(mediaFiles.name, heldFeedback.audioFeedbackUrl))
    .where(matchesFilter(which))
    .orderBy(desc(heldFeedback.dueAt), desc(heldFeedback.recordingId))
    .limit(MAX_HELD_REPLIES);

export type ListedHeldFeedback = Awaited<ReturnType<typeof listHeldFeedback>>[number];

export const countHeldFeedback = (db: Db, which: HeldFilter) => db.$count(heldFeedback, matchesFilter(which));

/**
 * Deletes and returns the matching row, so that only one of several concurrent callers receives it. Returns
 * null if no row matches. Requires the recording's lock.
 */
export async function deleteHeldFeedback(
  tx: Db,
  which: HeldFilter & { recordingId: number },
): Promise<HeldFeedbackRow | null> {
  const [row] = await tx.delete(heldFeedback).where(matchesFilter(which)).returning();
  return row ?? null;
}

/** Lists the recordings whose feedback is due, the longest overdue first. */
export async function listRecordingIdsWithDueFeedback(db: Db, now: Date, most: number) {
  const rows = await db
    .select({ recordingId: heldFeedback.recordingId })
    .from(heldFeedback)
    .where(lte(heldFeedback.dueAt, now))
    .orderBy(asc(heldFeedback.dueAt))
    .limit(most);
  return rows.map((row) => row.recordingId);
}

export async function findNextDueTime(db: Db) {
  const [row] = await db
    .select({ at: sql<Date | null>`min(${heldFeedback.dueAt})`.mapWith(heldFeedback.dueAt) })
    .from(heldFeedback);
  return row?.at ?? null;
}

export const postponeRelease = (db: Db, recordingId: number, dueAt: Date) =>
  db.update(heldFeedback).set({ dueAt }).where(eq(heldFeedback.recordingId, recordingId));

/**
 * Locks held feedback on a recording, or on all recordings of a student, until the transaction ends. Returns
 * the file names of the spoken parts; null for feedback without a spoken part.
 */
export async function lockHeldFeedbackFiles(tx: Db, of: { recordingId: number } | { studentId: string }) {
  const rows = await tx
    .select({ name: heldFeedback.audioFeedbackUrl })
    .from(heldFeedback)
    .innerJoin(recordings, eq(recordings.id, heldFeedback.recordingId))
    .where('studentId' in of ? eq(recordings.studentId, of.studentId) : eq(recordings.id, of.recordingId))
    .orderBy(heldFeedback.recordingId)
    .for('update', { of: heldFeedback });
  return rows.map((row) => row.name);
}
