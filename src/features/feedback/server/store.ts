import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { wholeSeconds } from '../../../db/columns.ts';
import type { Db } from '../../../db/database.ts';
import { feedback, mediaFiles, recordings, users } from '../../../db/schema.ts';
import { HISTORY_PAGE } from '../../recordings/limits.ts';
import { recordingColumns } from '../../recordings/server/store.ts';

/** The spoken reply's file; the recording's own is joined as `mediaFiles`. */
const spoken = alias(mediaFiles, 'spoken');

const { student, ...recording } = recordingColumns;

// The query builder nests one level only, so the student comes beside the recording and is put into it below.
const columns = {
  id: feedback.id,
  recordingId: feedback.recordingId,
  recording,
  student,
  writtenFeedback: feedback.writtenFeedback,
  audioFeedbackUrl: feedback.audioFeedbackUrl,
  audioFeedbackDuration: wholeSeconds(spoken.durationMs),
  peaks: spoken.peaks,
  status: feedback.status,
  createdAt: feedback.createdAt,
  correctedAt: feedback.correctedAt,
};

const select = (db: Db) =>
  db
    .select(columns)
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .innerJoin(users, eq(users.id, recordings.studentId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl))
    .leftJoin(spoken, eq(spoken.name, feedback.audioFeedbackUrl));

type Row = Awaited<ReturnType<typeof select>>[number];

const asFeedback = ({ student, recording, ...rest }: Row) => ({
  ...rest,
  recording: { ...recording, student },
});

export async function insertFeedback(db: Db, row: typeof feedback.$inferInsert) {
  const [made] = await db.insert(feedback).values(row).returning({ id: feedback.id });
  return made!.id;
}

export async function findFeedback(db: Db, id: number) {
  const [row] = await select(db).where(eq(feedback.id, id));
  return row ? asFeedback(row) : null;
}

export async function findByClientId(db: Db, adminId: string, clientId: string) {
  const [row] = await select(db).where(and(eq(feedback.adminId, adminId), eq(feedback.clientId, clientId)));
  return row ? asFeedback(row) : null;
}

/** Newest first; only those of one student's recordings, if given, and those older than feedback `before`. */
export async function listFeedback(db: Db, filter: { studentId?: string; before?: number | undefined }) {
  const rows = await select(db)
    .where(
      and(
        filter.studentId === undefined ? undefined : eq(recordings.studentId, filter.studentId),
        filter.before === undefined ? undefined : lt(feedback.id, filter.before),
      ),
    )
    .orderBy(desc(feedback.id))
    .limit(HISTORY_PAGE);
  return rows.map(asFeedback);
}

export async function countUnread(db: Db, studentId: string) {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(and(eq(recordings.studentId, studentId), eq(feedback.status, 'unread')));
  return row?.count ?? 0;
}

/** Locks the row, so that two moves can't cross. Null when it is not on one of the student's recordings. */
export async function lockStatus(tx: Db, id: number, studentId: string) {
  const [row] = await tx
    .select({ status: feedback.status })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(and(eq(feedback.id, id), eq(recordings.studentId, studentId)))
    .for('update', { of: feedback });
  return row?.status ?? null;
}

export const setStatus = (db: Db, id: number, status: (typeof feedback.$inferSelect)['status']) =>
  db.update(feedback).set({ status }).where(eq(feedback.id, id));

export async function holdFilesOf(tx: Db, studentId: string) {
  const rows = await tx
    .select({ name: feedback.audioFeedbackUrl })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(eq(recordings.studentId, studentId))
    .orderBy(feedback.id)
    .for('update', { of: feedback });
  return rows.map((row) => row.name);
}

export async function isOnRecordingOf(db: Db, studentId: string, audioFeedbackUrl: string) {
  const rows = await db
    .select({ id: feedback.id })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(and(eq(feedback.audioFeedbackUrl, audioFeedbackUrl), eq(recordings.studentId, studentId)))
    .limit(1);
  return rows.length > 0;
}
