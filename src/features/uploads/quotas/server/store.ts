import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { mediaFiles, recordings, uploads, users } from '#server/db/schema.ts';

/**
 * Locks the student's quota until the transaction ends.
 * @returns whether the user exists
 */
export async function lockStudentQuota(tx: Db, id: string) {
  const rows = await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
  return rows.length > 0;
}

export async function hasRecordingWithClientId(db: Db, studentId: string, clientId: string) {
  const rows = await db
    .select({ id: recordings.id })
    .from(recordings)
    .where(and(eq(recordings.studentId, studentId), eq(recordings.clientId, clientId)));
  return rows.length > 0;
}

/**
 * Returns the times and sizes of the student's recordings since `since`. Reads only the newest `limit` rows, to
 * bound the cost.
 */
export async function listRecordingsSentSince(db: Db, studentId: string, since: Date, limit: number) {
  const newest = db
    .select({ audioUrl: recordings.audioUrl, at: recordings.createdAt })
    .from(recordings)
    .where(eq(recordings.studentId, studentId))
    .orderBy(desc(recordings.id))
    .limit(limit)
    .as('newest');
  return db
    .select({ at: newest.at, size: sql<number>`coalesce(${mediaFiles.size}, 0)` })
    .from(newest)
    .leftJoin(mediaFiles, eq(mediaFiles.name, newest.audioUrl))
    .where(gt(newest.at, since));
}

/**
 * Returns the start times and declared sizes of the student's uploads in progress that were started since
 * `since`.
 */
export const listUnfinishedUploadsSince = (db: Db, studentId: string, since: Date) =>
  db
    .select({ at: uploads.createdAt, size: uploads.size })
    .from(uploads)
    .where(and(eq(uploads.ownerId, studentId), gt(uploads.createdAt, since)));
