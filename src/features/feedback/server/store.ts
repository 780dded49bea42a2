import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  lt,
  notInArray,
  or,
  sql,
  type Column,
  type SQL,
} from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/pg-core';
import { selectSoundCopies, selectWholeSeconds } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import {
  feedback,
  feedbackDrafts,
  markVoices,
  mediaFiles,
  melodies,
  recordings,
  snoozedRecordings,
  users,
} from '#server/db/schema.ts';
import { createBatchLoader } from '#server/concurrency/batch-loader.ts';
import { paginateById, paginate } from '#server/db/page.ts';
import { RECORDING_HISTORY_PAGE_SIZE } from '#features/recordings/limits.ts';
import type { VoiceComment } from '../contract.ts';
import { SNOOZED_PAGE_SIZE, DRAFTS_PAGE_SIZE } from '../limits.ts';
import {
  type RecordingAttempt,
  recordingColumns,
  whereAttemptAtSameMelody,
} from '#features/recordings/server/store.ts';

/**
 * Selects the voice comments in feedback or held feedback.
 * @param recordingId column that contains the id of the recording
 */
export const selectVoiceComments = (recordingId: Column): SQL<VoiceComment[]> => sql`(
  select coalesce(json_agg(json_build_object(
    'id', voice.id,
    'audioUrl', voice.audio_url,
    'audioCopies', array(
      select made.copy from media_files as made where made.copy_of = voice.audio_url and made.damage is null),
    'duration', greatest(1, round(sound.duration_ms / 1000.0))::int,
    'peaks', sound.peaks)), '[]')
  from mark_voices as voice inner join media_files as sound on sound.name = voice.audio_url
  where voice.recording_id = ${recordingId})`;

/** Alias for the file of the spoken part, because `mediaFiles` itself is joined for the recording's file. */
const replyFile = alias(mediaFiles, 'spoken');

const { student, ...recording } = recordingColumns;

// The query builder nests only one level, so the student is selected separately and `toFeedback` moves it into
// the recording.
const columns = {
  id: feedback.id,
  recordingId: feedback.recordingId,
  recording,
  student,
  writtenFeedback: feedback.writtenFeedback,
  marks: feedback.marks,
  voices: selectVoiceComments(feedback.recordingId),
  audioFeedbackUrl: feedback.audioFeedbackUrl,
  audioFeedbackCopies: selectSoundCopies(feedback.audioFeedbackUrl),
  audioFeedbackDuration: selectWholeSeconds(replyFile.durationMs),
  peaks: replyFile.peaks,
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
    .leftJoin(replyFile, eq(replyFile.name, feedback.audioFeedbackUrl));

type Row = Awaited<ReturnType<typeof select>>[number];

const toFeedback = ({ student, recording, ...rest }: Row) => ({
  ...rest,
  recording: { ...recording, student },
});

export async function insertFeedback(db: Db, row: typeof feedback.$inferInsert) {
  const [made] = await db.insert(feedback).values(row).returning({ id: feedback.id });
  return made!.id;
}

export async function findFeedback(db: Db, id: number) {
  const [row] = await select(db).where(eq(feedback.id, id));
  return row ? toFeedback(row) : null;
}

export async function findFeedbackByClientId(db: Db, adminId: string, clientId: string) {
  const [row] = await select(db).where(and(eq(feedback.adminId, adminId), eq(feedback.clientId, clientId)));
  return row ? toFeedback(row) : null;
}

/**
 * Returns a recording's feedback (only its `id`) if it was created with one of these idempotency keys,
 * otherwise null.
 */
export async function findFeedbackIdByClientIds(
  db: Db,
  adminId: string,
  recordingId: number,
  clientIds: string[],
) {
  const [row] = await db
    .select({ id: feedback.id })
    .from(feedback)
    .where(
      and(
        eq(feedback.adminId, adminId),
        eq(feedback.recordingId, recordingId),
        inArray(feedback.clientId, clientIds),
      ),
    );
  return row ?? null;
}

export async function listFeedbackByRecordings(db: Db, recordingIds: number[]) {
  const rows = await select(db).where(inArray(feedback.recordingId, recordingIds));
  return rows.map(toFeedback);
}

/** Lists the texts of an admin's newest replies (at most `most`) to recordings of a melody, newest first. */
export const listFeedbackTextsByMelody = (db: Db, melodyId: number, adminId: string, most: number) =>
  db
    .select({
      student: { firstName: users.firstName, username: users.username },
      writtenFeedback: feedback.writtenFeedback,
      marks: feedback.marks,
    })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .innerJoin(users, eq(users.id, recordings.studentId))
    .where(and(eq(recordings.melodyId, melodyId), eq(feedback.adminId, adminId)))
    .orderBy(desc(feedback.id))
    .limit(most);

/**
 * Returns the total size of the audio in the feedback released to a student, in bytes: spoken parts and voice
 * comments.
 */
export async function sumFeedbackSoundBytes(db: Db, studentId: string) {
  const theirs = eq(recordings.studentId, studentId);
  const files = unionAll(selectReplyFiles(db, theirs), selectVoiceFiles(db, theirs)).as('files');
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(${replyFile.size}), 0)::float8` })
    .from(replyFile)
    .innerJoin(files, eq(files.file, replyFile.name));
  return row!.bytes;
}

const selectReplyFiles = (db: Db, isMeant: SQL) =>
  db
    .select({ file: sql<string>`${feedback.audioFeedbackUrl}`.as('file'), studentId: recordings.studentId })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(isMeant);

/**
 * Selects voice comments in released feedback. Held feedback has no row in `feedback`, so the join omits it.
 */
const selectVoiceFiles = (db: Db, isMeant: SQL) =>
  db
    .select({ file: sql<string>`${markVoices.audioUrl}`.as('file'), studentId: recordings.studentId })
    .from(markVoices)
    .innerJoin(feedback, eq(feedback.recordingId, markVoices.recordingId))
    .innerJoin(recordings, eq(recordings.id, markVoices.recordingId))
    .where(isMeant);

/**
 * Returns the feedback on this attempt. If it has none, returns the feedback on the student's newest answered
 * attempt at the same melody, or null.
 */
export async function findFeedbackOnAttemptOrNewest(db: Db, attempt: RecordingAttempt) {
  const [row] = await select(db)
    .where(whereAttemptAtSameMelody(attempt))
    .orderBy(desc(eq(recordings.id, attempt.id)), desc(recordings.id))
    .limit(1);
  return row ? toFeedback(row) : null;
}

/**
 * Returns a page of the feedback on one student's recordings, newest first, and the total number. With
 * `before`, the page contains only feedback with a smaller id.
 */
export async function listFeedbackForStudent(db: Db, studentId: string, before: Before) {
  const isTheirs = eq(recordings.studentId, studentId);
  const [row] = await db
    .select({ total: count() })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(isTheirs);
  return paginateById(await listNewestFirst(db, isTheirs, before), RECORDING_HISTORY_PAGE_SIZE, row!.total);
}

/**
 * Returns a function that returns a page of all feedback, newest first, and the total number. With `before`,
 * the page contains only feedback with a smaller id.
 */
export function prepareListAllFeedback(db: Db) {
  // Concurrent calls share one count, because with 100,000 rows, counting takes 90 % of the time needed for a
  // page.
  const countAll = createBatchLoader<null, number>(async (asked) => {
    const total = await db.$count(feedback);
    return asked.map(() => total);
  });
  return async (before: Before) =>
    paginateById(
      await listNewestFirst(db, undefined, before),
      RECORDING_HISTORY_PAGE_SIZE,
      await countAll(null),
    );
}

type Before = number | undefined;

async function listNewestFirst(db: Db, isListed: SQL | undefined, before: Before) {
  const rows = await select(db)
    .where(and(isListed, before === undefined ? undefined : lt(feedback.id, before)))
    .orderBy(desc(feedback.id))
    .limit(RECORDING_HISTORY_PAGE_SIZE + 1);
  return rows.map(toFeedback);
}

/**
 * Returns a page of the feedback that matches a search, newest first, and the total number. With `before`,
 * the page contains only feedback with a smaller id.
 * @param words words from `getSearchWords`, each of which must occur in the student's name or in the title of
 *   the recording or its melody
 */
export async function searchFeedback(db: Db, words: string[], before: Before) {
  // A single pass over the titles finds both the page and the total, because that pass is the costly part of a
  // search.
  const found = db
    .select({ id: feedback.id })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(and(...words.map(matchesWord)));
  const isBefore = before === undefined ? sql`true` : sql`id < ${before}`;
  const { rows } = await db.execute<{ total: number; ids: number[] }>(sql`
    with found as materialized (${found})
    select (select count(*)::int from found) as total,
      array(select id from found where ${isBefore} order by id desc limit ${RECORDING_HISTORY_PAGE_SIZE + 1}) as ids`);
  const { total, ids } = rows[0]!;
  const page = await select(db).where(inArray(feedback.id, ids)).orderBy(desc(feedback.id));
  return paginateById(page.map(toFeedback), RECORDING_HISTORY_PAGE_SIZE, total);
}

// `in (select …)` is hashed once per search. A join or `exists` would look up the student and the melody of
// every recording.
const matchesWord = (word: string) =>
  or(
    sql`${recordings.studentId} in (select id from ${users} where strpos(${users.foldedName}, ${word}) > 0)`,
    sql`strpos(${recordings.foldedTitle}, ${word}) > 0`,
    sql`${recordings.melodyId} in (select id from ${melodies} where strpos(${melodies.foldedTitle}, ${word}) > 0)`,
  );

/** Locks the feedback and returns it; null if it does not exist. */
export async function lockFeedback(tx: Db, id: number) {
  // Locks the recording before its feedback, as deleting a student does. Inserting a voice comment locks the
  // recording too (by its foreign key), and taking the two locks in different orders would deadlock.
  await tx
    .select({ id: recordings.id })
    .from(recordings)
    .innerJoin(feedback, eq(feedback.recordingId, recordings.id))
    .where(eq(feedback.id, id))
    .for('key share', { of: recordings });
  const [row] = await tx
    .select({
      writtenFeedback: feedback.writtenFeedback,
      marks: feedback.marks,
      audioFeedbackUrl: feedback.audioFeedbackUrl,
      correctedAt: feedback.correctedAt,
      studentId: recordings.studentId,
      duration: recordings.duration,
      recordingId: feedback.recordingId,
    })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(eq(feedback.id, id))
    .for('update', { of: feedback });
  return row ?? null;
}

export const updateFeedback = (
  tx: Db,
  id: number,
  set: Partial<
    Pick<
      typeof feedback.$inferInsert,
      'writtenFeedback' | 'marks' | 'audioFeedbackUrl' | 'correctedAt' | 'clientId'
    >
  >,
) => tx.update(feedback).set(set).where(eq(feedback.id, id));

export async function countUnreadFeedback(db: Db, studentId: string) {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(and(eq(recordings.studentId, studentId), eq(feedback.status, 'unread')));
  return row?.count ?? 0;
}

export async function findNewestUnreadFeedback(db: Db, studentId: string) {
  const [row] = await db
    .select({
      recordingId: feedback.recordingId,
      title: recordings.title,
      marks: sql<number>`jsonb_array_length(${feedback.marks})`,
      createdAt: feedback.createdAt,
    })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(and(eq(recordings.studentId, studentId), eq(feedback.status, 'unread')))
    .orderBy(desc(feedback.id))
    .limit(1);
  return row ?? null;
}

/**
 * Locks feedback and returns its status, so that concurrent status changes can't interleave. Returns null if
 * the feedback is not on one of the student's recordings.
 */
export async function lockFeedbackStatus(tx: Db, id: number, studentId: string) {
  const [row] = await tx
    .select({ status: feedback.status })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(and(eq(feedback.id, id), eq(recordings.studentId, studentId)))
    .for('update', { of: feedback });
  return row?.status ?? null;
}

export const setFeedbackStatus = (db: Db, id: number, status: (typeof feedback.$inferSelect)['status']) =>
  db.update(feedback).set({ status }).where(eq(feedback.id, id));

/**
 * Returns the file names of the voice comments on a recording, or on all recordings of a student, and locks
 * their rows until the transaction ends.
 */
export async function lockVoiceFiles(tx: Db, of: { recordingId: number } | { studentId: string }) {
  const rows = await tx
    .select({ name: markVoices.audioUrl })
    .from(markVoices)
    .innerJoin(recordings, eq(recordings.id, markVoices.recordingId))
    .where('studentId' in of ? eq(recordings.studentId, of.studentId) : eq(recordings.id, of.recordingId))
    .orderBy(markVoices.recordingId, markVoices.id)
    .for('update', { of: markVoices });
  return rows.map((row) => row.name);
}

/**
 * Locks the feedback released to a student until the transaction ends. Returns the file names of the spoken
 * parts; null for feedback without a spoken part.
 */
export async function lockReplyFiles(tx: Db, studentId: string) {
  const rows = await tx
    .select({ name: feedback.audioFeedbackUrl })
    .from(feedback)
    .innerJoin(recordings, eq(recordings.id, feedback.recordingId))
    .where(eq(recordings.studentId, studentId))
    .orderBy(feedback.id)
    .for('update', { of: feedback });
  return rows.map((row) => row.name);
}

/**
 * Returns a function that maps file names to the students whose released feedback contains these files, as
 * spoken parts or as voice comments. Omits other files.
 */
export function prepareFindStudentsByFeedbackFile(db: Db) {
  const asked = sql`any(${sql.placeholder('names')})`;
  const statement = unionAll(
    selectReplyFiles(db, sql`${feedback.audioFeedbackUrl} = ${asked}`),
    selectVoiceFiles(db, sql`${markVoices.audioUrl} = ${asked}`),
  ).prepare('students_by_reply');
  return async (names: string[]) =>
    new Map((await statement.execute({ names })).map(({ file, studentId }) => [file, studentId]));
}

export async function listVoiceIds(db: Db, recordingId: number) {
  const rows = await db
    .select({ id: markVoices.id })
    .from(markVoices)
    .where(eq(markVoices.recordingId, recordingId));
  return rows.map(({ id }) => id);
}

/** Returns the file name of a voice comment, or null. */
export async function findVoiceFile(db: Db, recordingId: number, id: string) {
  const [row] = await db
    .select({ audioUrl: markVoices.audioUrl })
    .from(markVoices)
    .where(and(eq(markVoices.recordingId, recordingId), eq(markVoices.id, id)));
  return row?.audioUrl ?? null;
}

export const insertVoiceComments = (tx: Db, rows: (typeof markVoices.$inferInsert)[]) =>
  rows.length === 0 ? null : tx.insert(markVoices).values(rows);

/**
 * Deletes all voice comments on a recording except those with these ids.
 * @returns the file names of the deleted voice comments
 */
export async function deleteOtherVoiceComments(tx: Db, recordingId: number, ids: string[]) {
  const rows = await tx
    .delete(markVoices)
    .where(and(eq(markVoices.recordingId, recordingId), notInArray(markVoices.id, ids)))
    .returning({ audioUrl: markVoices.audioUrl });
  return rows.map(({ audioUrl }) => audioUrl);
}

export type DraftFilter = {
  recordingId?: number | undefined;
  /** Cursor: lists only drafts for recordings with a greater id. */
  after?: readonly [number] | undefined;
};

/** Returns a page of an admin's drafts, ordered by recording id, and the total number. */
export async function listDrafts(db: Db, adminId: string, { recordingId, after }: DraftFilter) {
  const isListed = and(
    eq(feedbackDrafts.adminId, adminId),
    recordingId === undefined ? undefined : eq(feedbackDrafts.recordingId, recordingId),
  );
  const rows = await db
    .select({
      recordingId: feedbackDrafts.recordingId,
      isAnswered: sql<boolean>`${recordings.status} = 'reviewed'`,
      text: feedbackDrafts.text,
      marks: feedbackDrafts.marks,
      revision: feedbackDrafts.revision,
      updatedAt: feedbackDrafts.updatedAt,
    })
    .from(feedbackDrafts)
    .innerJoin(recordings, eq(recordings.id, feedbackDrafts.recordingId))
    .where(and(isListed, after && gt(feedbackDrafts.recordingId, after[0])))
    .orderBy(asc(feedbackDrafts.recordingId))
    .limit(DRAFTS_PAGE_SIZE + 1);
  return paginate(rows, DRAFTS_PAGE_SIZE, await db.$count(feedbackDrafts, isListed), (last) => ({
    after: [last.recordingId],
  }));
}

/** @returns false if the admin already has a draft for the recording */
export async function insertDraft(db: Db, draft: typeof feedbackDrafts.$inferInsert) {
  const rows = await db
    .insert(feedbackDrafts)
    .values(draft)
    .onConflictDoNothing()
    .returning({ id: feedbackDrafts.recordingId });
  return rows.length > 0;
}

/** Locks an admin's draft for a recording and returns it; null if there is none. */
export async function lockDraft(tx: Db, recordingId: number, adminId: string) {
  const [row] = await tx
    .select({ text: feedbackDrafts.text, marks: feedbackDrafts.marks, revision: feedbackDrafts.revision })
    .from(feedbackDrafts)
    .where(and(eq(feedbackDrafts.recordingId, recordingId), eq(feedbackDrafts.adminId, adminId)))
    .for('update');
  return row ?? null;
}

export const upsertDraft = (db: Db, draft: Omit<typeof feedbackDrafts.$inferSelect, 'updatedAt'>) =>
  db
    .insert(feedbackDrafts)
    .values(draft)
    .onConflictDoUpdate({
      target: [feedbackDrafts.recordingId, feedbackDrafts.adminId],
      set: { text: draft.text, marks: draft.marks, revision: draft.revision, updatedAt: sql`now()` },
    });

export const deleteDraft = (db: Db, recordingId: number, adminId: string) =>
  db
    .delete(feedbackDrafts)
    .where(and(eq(feedbackDrafts.recordingId, recordingId), eq(feedbackDrafts.adminId, adminId)));

/**
 * Returns a page of the pending recordings that an admin has snoozed, ordered by id, and the total number.
 */
export async function listSnoozedRecordings(db: Db, adminId: string, after: readonly [number] | undefined) {
  const isListed = and(eq(snoozedRecordings.adminId, adminId), eq(recordings.status, 'pending'));
  const rows = await db
    .select({ recordingId: snoozedRecordings.recordingId, until: snoozedRecordings.until })
    .from(snoozedRecordings)
    .innerJoin(recordings, eq(recordings.id, snoozedRecordings.recordingId))
    .where(and(isListed, after && gt(snoozedRecordings.recordingId, after[0])))
    .orderBy(asc(snoozedRecordings.recordingId))
    .limit(SNOOZED_PAGE_SIZE + 1);
  const [counted] = await db
    .select({ total: count() })
    .from(snoozedRecordings)
    .innerJoin(recordings, eq(recordings.id, snoozedRecordings.recordingId))
    .where(isListed);
  return paginate(rows, SNOOZED_PAGE_SIZE, counted!.total, (last) => ({ after: [last.recordingId] }));
}

export const upsertSnooze = (db: Db, row: typeof snoozedRecordings.$inferInsert) =>
  db
    .insert(snoozedRecordings)
    .values(row)
    .onConflictDoUpdate({
      target: [snoozedRecordings.recordingId, snoozedRecordings.adminId],
      set: { until: row.until },
    });

export const deleteSnooze = (db: Db, recordingId: number, adminId: string) =>
  db
    .delete(snoozedRecordings)
    .where(and(eq(snoozedRecordings.recordingId, recordingId), eq(snoozedRecordings.adminId, adminId)));
