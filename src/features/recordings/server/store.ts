import { and, asc, desc, eq, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { selectSoundCopies } from '#server/db/columns.ts';
import { isRowAfter } from '#server/db/row-order.ts';
import { mediaFiles, recordings, users } from '#server/db/schema.ts';
import { foldText } from '#shared/search-words.ts';
import { paginateById, paginate } from '#server/db/page.ts';
import { RECORDING_HISTORY_PAGE_SIZE, PENDING_RECORDINGS_PAGE_SIZE } from '../limits.ts';
import { parseLabel, type RecordingLabel } from './file-label.ts';

/** Columns of a recording in every response. Feedback selects the same columns. */
export const recordingColumns = {
  id: recordings.id,
  title: recordings.title,
  message: recordings.message,
  audioUrl: recordings.audioUrl,
  audioCopies: selectSoundCopies(recordings.audioUrl),
  status: recordings.status,
  createdAt: recordings.createdAt,
  duration: recordings.duration,
  peaks: mediaFiles.peaks,
  melodyId: recordings.melodyId,
  attempt: selectAttemptNumber(),
  student: { firstName: users.firstName, lastName: users.lastName, username: users.username },
};

/**
 * Selects the number of the student's attempt at the melody, from 1, or null if the recording has no melody.
 */
function selectAttemptNumber(): SQL<number | null> {
  return sql<number | null>`case when ${recordings.melodyId} is not null then (
    select count(*)::int from recordings as attempts
    where attempts.student_id = ${recordings.studentId} and attempts.melody_id = ${recordings.melodyId}
      and attempts.id <= ${recordings.id}
  ) end`;
}

const selectRecordings = (db: Db) =>
  db
    .select(recordingColumns)
    .from(recordings)
    .innerJoin(users, eq(users.id, recordings.studentId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl));

/** @returns the id, or null if the student has sent the same `clientId` before */
export async function insertRecording(db: Db, recording: typeof recordings.$inferInsert) {
  const [row] = await db
    .insert(recordings)
    .values({ ...recording, foldedTitle: foldText(recording.title) })
    .onConflictDoNothing({ target: [recordings.studentId, recordings.clientId] })
    .returning({ id: recordings.id });
  return row?.id ?? null;
}

/**
 * Fills the search column of up to 1,000 recordings that are older than the column.
 * @returns the number of recordings updated
 */
export async function backfillFoldedTitles(tx: Db): Promise<number> {
  const rows = await tx
    .select({ id: recordings.id, title: recordings.title })
    .from(recordings)
    .where(isNull(recordings.foldedTitle))
    .limit(1_000)
    .for('update', { skipLocked: true });
  if (rows.length === 0) return 0;
  const [ids, titles] = [rows.map(({ id }) => id), rows.map(({ title }) => foldText(title))];
  await tx.execute(sql`update recordings set folded_title = made.title
    from unnest(${sql.param(ids)}::int[], ${sql.param(titles)}::text[]) as made (id, title)
    where recordings.id = made.id`);
  return rows.length;
}

export async function findRecording(db: Db, where: { id: number }) {
  const [row] = await selectRecordings(db).where(eq(recordings.id, where.id));
  return row ?? null;
}

export async function findRecordingByClientId(db: Db, studentId: string, clientId: string) {
  const [row] = await selectRecordings(db).where(
    and(eq(recordings.studentId, studentId), eq(recordings.clientId, clientId)),
  );
  return row ?? null;
}

export type LostRecording = {
  /** Name of the file. */
  name: string;
  label: RecordingLabel;
  /** Null if the student no longer exists. */
  username: string | null;
  /** Null if there was no melody, or it no longer exists. */
  melodyTitle: string | null;
};

/**
 * Returns those of the files that have the label of a recording but no row, unless their recording was sent
 * again or withdrawn.
 */
export async function findLostRecordings(db: Db, names: string[]): Promise<LostRecording[]> {
  const labels = new Map(
    names.flatMap((name) => {
      const label = parseLabel(name);
      return label ? [[name, label] as const] : [];
    }),
  );
  if (labels.size === 0) return [];
  const columns = [...labels].map(([name, { studentId, clientId, melodyId, submittedAt }]) => ({
    ...{ name, student: studentId, client: clientId, melody: melodyId, at: submittedAt.getTime() / 1000 },
  }));
  // A failover may also lose a melody, and its id may then be given to a later melody.
  const { rows } = await db.execute<Omit<LostRecording, 'label'>>(sql`
    select file.name, users.username, melodies.title as "melodyTitle"
    from json_to_recordset(${JSON.stringify(columns)}::json)
      as file (name text, student text, client uuid, melody bigint, at float8)
    left join users on users.id = file.student
    left join melodies on melodies.id = file.melody and melodies.created_at <= to_timestamp(file.at)
    where not exists (select from media_files where media_files.name = file.name)
      and not exists (select from recordings where student_id = file.student and client_id = file.client)
      and not exists (select from spent_keys where owner_id = file.student and client_id = file.client)`);
  return rows.map((row) => ({ ...row, label: labels.get(row.name)! }));
}

/**
 * Returns a page of a student's recordings, newest first. If `before` is given, returns only recordings with
 * a lower id.
 */
export async function listRecordingsOfStudent(db: Db, studentId: string, before?: number) {
  const isOwn = eq(recordings.studentId, studentId);
  // Numbers all attempts in one pass over the student's recordings. A subquery for each recording would take
  // quadratic time.
  const numbered = db
    .select({
      id: recordings.id,
      attempt:
        sql<number>`(row_number() over (partition by ${recordings.melodyId} order by ${recordings.id}))::int`.as(
          'attempt',
        ),
    })
    .from(recordings)
    .where(isOwn)
    .as('numbered');
  const attempt = sql<
    number | null
  >`case when ${recordings.melodyId} is not null then ${numbered.attempt} end`;
  const rows = await db
    .select({ ...recordingColumns, attempt })
    .from(recordings)
    .innerJoin(users, eq(users.id, recordings.studentId))
    .innerJoin(numbered, eq(numbered.id, recordings.id))
    .leftJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl))
    .where(and(isOwn, olderThan(before)))
    .orderBy(desc(recordings.id))
    .limit(RECORDING_HISTORY_PAGE_SIZE + 1);
  return paginateById(rows, RECORDING_HISTORY_PAGE_SIZE, await db.$count(recordings, isOwn));
}

/** Returns the total size of a student's recordings, in bytes. */
export async function sumRecordingFileSizes(db: Db, studentId: string) {
  const [row] = await db
    .select({ bytes: sql<number>`coalesce(sum(${mediaFiles.size}), 0)::float8` })
    .from(recordings)
    .innerJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl))
    .where(eq(recordings.studentId, studentId));
  return row!.bytes;
}

export async function countAttemptsAtMelody(db: Db, studentId: string, melodyId: number) {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(recordings)
    .where(and(eq(recordings.studentId, studentId), eq(recordings.melodyId, melodyId)));
  return row?.count ?? 0;
}

const isPending = eq(recordings.status, 'pending');

/** Returns the number of a student's pending recordings, and the title of the newest or null. */
export async function getPendingRecordingSummary(db: Db, studentId: string) {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      title: sql<string | null>`(array_agg(${recordings.title} order by ${recordings.id} desc))[1]`,
    })
    .from(recordings)
    .where(and(eq(recordings.studentId, studentId), isPending));
  return row!;
}

/**
 * Returns a page of pending recordings, oldest first. If `after` is given, starts after the recording with
 * that time and id.
 */
export async function listPendingRecordings(db: Db, after?: readonly [Date, number]) {
  const found = await db
    .select({ ...recordingColumns, isStudentActive: users.isActive })
    .from(recordings)
    .innerJoin(users, eq(users.id, recordings.studentId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl))
    .where(and(isPending, after && isRowAfter([recordings.createdAt, recordings.id], after)))
    .orderBy(asc(recordings.createdAt), asc(recordings.id))
    .limit(PENDING_RECORDINGS_PAGE_SIZE + 1);
  const rows = found.map(({ isStudentActive, ...recording }) =>
    isStudentActive ? recording : { ...recording, isStudentDisabled: true as const },
  );
  return paginate(
    rows,
    PENDING_RECORDINGS_PAGE_SIZE,
    await countPendingRecordings(db),
    ({ createdAt, id }) => ({
      after: [createdAt, id],
    }),
  );
}

export const countPendingRecordings = (db: Db) => db.$count(recordings, isPending);

/**
 * Returns the owner and the melody of a recording. Null if it does not exist or, if `studentId` is given, is
 * not this student's.
 */
export async function findRecordingOwnerAndMelody(db: Db, id: number, studentId?: string) {
  const [row] = await db
    .select({ id: recordings.id, studentId: recordings.studentId, melodyId: recordings.melodyId })
    .from(recordings)
    .where(
      and(eq(recordings.id, id), studentId === undefined ? undefined : eq(recordings.studentId, studentId)),
    );
  return row ?? null;
}

export type RecordingAttempt = NonNullable<Awaited<ReturnType<typeof findRecordingOwnerAndMelody>>>;

/**
 * Returns a condition that selects all attempts of the same student at the same melody, or only the recording
 * itself if it has no melody.
 */
export const whereAttemptAtSameMelody = ({ id, studentId, melodyId }: RecordingAttempt) =>
  melodyId === null
    ? eq(recordings.id, id)
    : and(eq(recordings.studentId, studentId), eq(recordings.melodyId, melodyId));

export type ThreadPageOptions = { before?: number | undefined; size: number };

/**
 * Returns a page of a student's recordings of the same melody, newest first, or only the recording itself if
 * it has no melody. If `before` is given, returns only recordings with a lower id. Returns null if the
 * recording does not exist or, if `studentId` is given, is not this student's.
 */
export async function listRecordingThread(
  db: Db,
  id: number,
  { before, size }: ThreadPageOptions,
  studentId?: string,
) {
  const attempt = await findRecordingOwnerAndMelody(db, id, studentId);
  if (!attempt) return null;
  const isOfThread = whereAttemptAtSameMelody(attempt);
  const rows = await selectRecordings(db)
    .where(and(isOfThread, olderThan(before)))
    .orderBy(desc(recordings.id))
    .limit(size + 1);
  return paginateById(rows, size, await db.$count(recordings, isOfThread));
}

/** Locks a student's own recording. Returns null if the recording is not the student's. */
export async function lockOwnRecording(tx: Db, id: number, studentId: string) {
  const [row] = await tx
    .select({ status: recordings.status, audioUrl: recordings.audioUrl, clientId: recordings.clientId })
    .from(recordings)
    .where(and(eq(recordings.id, id), eq(recordings.studentId, studentId)))
    .for('update');
  return row ?? null;
}

export const deleteRecording = (tx: Db, id: number) => tx.delete(recordings).where(eq(recordings.id, id));

/**
 * Locks a pending recording.
 * @returns the student's id, or null if the recording is not pending
 */
export async function lockPendingRecording(tx: Db, id: number) {
  const [row] = await tx
    .select({ studentId: recordings.studentId })
    .from(recordings)
    .where(and(eq(recordings.id, id), isPending))
    .for('no key update');
  return row?.studentId ?? null;
}

/** @returns the student's id, or null if the recording does not exist or has already been reviewed */
export async function markRecordingReviewed(tx: Db, id: number) {
  // Locks the student before the recording, in the same order as deleting a student with all recordings.
  // Queueing the email to the student locks both, and transactions that lock them in different orders could
  // deadlock.
  await tx
    .select({ id: users.id })
    .from(recordings)
    .innerJoin(users, eq(users.id, recordings.studentId))
    .where(eq(recordings.id, id))
    .for('key share', { of: users });
  const rows = await tx
    .update(recordings)
    .set({ status: 'reviewed' })
    .where(and(eq(recordings.id, id), eq(recordings.status, 'pending')))
    .returning({ studentId: recordings.studentId });
  return rows[0]?.studentId ?? null;
}

export async function lockRecordingFilesOfStudent(tx: Db, studentId: string) {
  const rows = await tx
    .select({ name: recordings.audioUrl })
    .from(recordings)
    .where(eq(recordings.studentId, studentId))
    .orderBy(recordings.id)
    .for('update');
  return rows.map((row) => row.name);
}

/**
 * Returns a function that maps file names to the students who made the recordings. Leaves out files that are
 * not recordings.
 */
export function prepareFindStudentsByRecordingFile(db: Db) {
  const statement = db
    .select({ name: recordings.audioUrl, studentId: recordings.studentId })
    .from(recordings)
    .where(sql`${recordings.audioUrl} = any(${sql.placeholder('names')})`)
    .prepare('students_by_recording');
  return async (names: string[]) =>
    new Map((await statement.execute({ names })).map(({ name, studentId }) => [name, studentId]));
}

const olderThan = (before: number | undefined): SQL | undefined =>
  before === undefined ? undefined : lt(recordings.id, before);
