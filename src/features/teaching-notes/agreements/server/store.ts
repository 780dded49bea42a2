import { and, desc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { selectSoundCopies, selectReceivedLevels, selectWholeSeconds } from '#server/db/columns.ts';
import type { Db } from '#server/db/database.ts';
import {
  agreements,
  feedback,
  mediaFiles,
  melodies,
  recordings,
  teachingNotes,
  users,
} from '#server/db/schema.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { paginateById } from '#server/db/page.ts';
import { AGREEMENTS_PAGE_SIZE } from '../limits.ts';

const student = { firstName: users.firstName, lastName: users.lastName, username: users.username };

const columns = {
  id: agreements.id,
  noteId: agreements.noteId,
  recordingId: agreements.recordingId,
  start: agreements.start,
  end: agreements.end,
  wantsName: agreements.wantsName,
  state: agreements.state,
  name: agreements.name,
  askedAt: agreements.askedAt,
  answeredAt: agreements.answeredAt,
};

/** Selects the note's text, or null if the student has no access to its melody. */
const selectNoteText = (studentId: Parameters<typeof selectReceivedLevels>[0]) =>
  sql<string | null>`case when ${melodies.transmissionLevelId} = any(${selectReceivedLevels(studentId)})
    then ${teachingNotes.text} end`;

const select = (db: Db) =>
  db
    .select({ ...columns, student })
    .from(agreements)
    .innerJoin(recordings, eq(recordings.id, agreements.recordingId))
    .innerJoin(users, eq(users.id, recordings.studentId));

const olderThan = (before: number | undefined) =>
  before === undefined ? undefined : lt(agreements.id, before);

export async function findAgreementByClientId(db: Db, clientId: string) {
  const [row] = await select(db).where(eq(agreements.clientId, clientId));
  return row ?? null;
}

/** @param which condition on the agreement, its recording, or both */
async function countAgreements(db: Db, which: SQL | undefined): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(agreements)
    .innerJoin(recordings, eq(recordings.id, agreements.recordingId))
    .where(which);
  return row!.count;
}

/** Returns a page of all questions, or of those about one recording, newest first, and the total number. */
export async function listAgreementRequests(
  db: Db,
  { recordingId, before }: { recordingId?: number | undefined; before?: number | undefined },
) {
  const isListed = recordingId === undefined ? undefined : eq(agreements.recordingId, recordingId);
  const rows = await select(db)
    .where(and(isListed, olderThan(before)))
    .orderBy(desc(agreements.id))
    .limit(AGREEMENTS_PAGE_SIZE + 1);
  return paginateById(rows, AGREEMENTS_PAGE_SIZE, await db.$count(agreements, isListed));
}

/**
 * Returns a page of a student's open questions and current agreements, newest first, and the total number.
 */
export async function listAgreementsOfStudent(db: Db, studentId: string, before?: number) {
  const isListed = and(eq(recordings.studentId, studentId), inArray(agreements.state, ['asked', 'agreed']));
  const total = await countAgreements(db, isListed);
  const rows = await db
    .select({
      ...columns,
      recording: {
        title: recordings.title,
        audioUrl: recordings.audioUrl,
        audioCopies: selectSoundCopies(recordings.audioUrl),
        duration: recordings.duration,
        peaks: mediaFiles.peaks,
      },
      noteText: selectNoteText(studentId),
      student,
    })
    .from(agreements)
    .innerJoin(recordings, eq(recordings.id, agreements.recordingId))
    .innerJoin(users, eq(users.id, recordings.studentId))
    .innerJoin(teachingNotes, eq(teachingNotes.id, agreements.noteId))
    .innerJoin(melodies, eq(melodies.id, teachingNotes.melodyId))
    .leftJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl))
    .where(and(isListed, olderThan(before)))
    .orderBy(desc(agreements.id))
    .limit(AGREEMENTS_PAGE_SIZE + 1);
  const found = rows.map(({ student, ...rest }) => ({ ...rest, nameToShow: formatDisplayName(student) }));
  return paginateById(found, AGREEMENTS_PAGE_SIZE, total);
}

/** Returns a page of all questions that a student has ever been asked, newest first, and the total number. */
export async function listAgreementHistory(db: Db, studentId: string, before?: number) {
  const isTheirs = eq(recordings.studentId, studentId);
  const total = await countAgreements(db, isTheirs);
  const rows = await db
    .select({
      ...columns,
      title: recordings.title,
      signature: agreements.signature,
      revokedAt: agreements.revokedAt,
    })
    .from(agreements)
    .innerJoin(recordings, eq(recordings.id, agreements.recordingId))
    .where(and(isTheirs, olderThan(before)))
    .orderBy(desc(agreements.id))
    .limit(AGREEMENTS_PAGE_SIZE + 1);
  return paginateById(rows, AGREEMENTS_PAGE_SIZE, total);
}

/**
 * Returns the recording that a question is about; null if it does not exist. Locks its student until the
 * transaction ends, so that the student can't be disabled before then.
 */
export async function findRecordingAndLockStudent(tx: Db, id: number) {
  const [row] = await tx
    .select({
      title: recordings.title,
      melodyId: recordings.melodyId,
      studentId: recordings.studentId,
      student: { ...student, isActive: users.isActive },
      durationMs: mediaFiles.durationMs,
      isAnswered: sql<boolean>`exists (select from ${feedback} where ${feedback.recordingId} = ${recordings.id})`,
    })
    .from(recordings)
    .innerJoin(users, eq(users.id, recordings.studentId))
    .innerJoin(mediaFiles, eq(mediaFiles.name, recordings.audioUrl))
    .where(eq(recordings.id, id))
    // Serializes questions to a student, so that their number can be limited.
    .for('no key update', { of: users });
  return row ?? null;
}

export async function findMelodyIdOfNote(db: Db, noteId: number) {
  const [row] = await db
    .select({ melodyId: teachingNotes.melodyId })
    .from(teachingNotes)
    .where(eq(teachingNotes.id, noteId));
  return row?.melodyId ?? null;
}

export const countOpenAgreementRequests = (db: Db, studentId: string) =>
  countAgreements(db, and(eq(recordings.studentId, studentId), eq(agreements.state, 'asked')));

export const insertAgreement = (tx: Db, row: typeof agreements.$inferInsert) =>
  tx.insert(agreements).values(row);

/** @param studentId the student to whom the agreement must belong; null for any student */
const belongsTo = (id: number, studentId: string | null) =>
  and(eq(agreements.id, id), studentId === null ? undefined : eq(recordings.studentId, studentId));

const selectDetails = (db: Db) =>
  db
    .select({
      ...columns,
      audioUrl: agreements.audioUrl,
      recording: { title: recordings.title, audioUrl: recordings.audioUrl },
      studentId: recordings.studentId,
      student,
      levelId: melodies.transmissionLevelId,
      noteText: selectNoteText(recordings.studentId),
    })
    .from(agreements)
    .innerJoin(recordings, eq(recordings.id, agreements.recordingId))
    .innerJoin(users, eq(users.id, recordings.studentId))
    .innerJoin(teachingNotes, eq(teachingNotes.id, agreements.noteId))
    .innerJoin(melodies, eq(melodies.id, teachingNotes.melodyId));

export type Agreement = NonNullable<Awaited<ReturnType<typeof findAgreement>>>;

export async function findAgreement(db: Db, id: number, studentId: string | null) {
  const [row] = await selectDetails(db).where(belongsTo(id, studentId));
  return row ?? null;
}

/** Finds an agreement and locks it until the transaction ends; null if there is none. */
export async function lockAgreement(tx: Db, id: number, studentId: string | null) {
  // Locks the student first, as deleting a student does. The audit entry refers to the student, and transactions
  // that lock student and agreement in different orders would deadlock.
  if (studentId !== null)
    await tx.select({ id: users.id }).from(users).where(eq(users.id, studentId)).for('key share');
  const [row] = await selectDetails(tx).where(belongsTo(id, studentId)).for('update', { of: agreements });
  return row ?? null;
}

export const updateAgreement = (tx: Db, id: number, set: Partial<typeof agreements.$inferInsert>) =>
  tx.update(agreements).set(set).where(eq(agreements.id, id));

export const deleteAgreement = (tx: Db, id: number) => tx.delete(agreements).where(eq(agreements.id, id));

/** Locks agreements until the transaction ends. Returns their file names and the levels of their melodies. */
async function lockPassages(tx: Db, where: SQL | undefined) {
  return tx
    .select({ audioUrl: agreements.audioUrl, levelId: melodies.transmissionLevelId })
    .from(agreements)
    .innerJoin(recordings, eq(recordings.id, agreements.recordingId))
    .innerJoin(teachingNotes, eq(teachingNotes.id, agreements.noteId))
    .innerJoin(melodies, eq(melodies.id, teachingNotes.melodyId))
    .where(where)
    .orderBy(agreements.id)
    .for('update', { of: agreements });
}

export const lockPassagesOfStudent = (tx: Db, studentId: string) =>
  lockPassages(tx, eq(recordings.studentId, studentId));
export const lockPassagesOfNote = (tx: Db, noteId: number) => lockPassages(tx, eq(agreements.noteId, noteId));
export const lockPassagesOfMelody = (tx: Db, melodyId: number) =>
  lockPassages(tx, eq(teachingNotes.melodyId, melodyId));

/**
 * Returns the passages shared next to these notes, by note id. Leaves out passages of disabled students, who
 * could not revoke them.
 */
export async function findSharedPassages(db: Db, noteIds: readonly number[]) {
  if (noteIds.length === 0) return new Map<number, never>();
  const rows = await db
    .select({
      noteId: agreements.noteId,
      audioUrl: sql<string>`${agreements.audioUrl}`,
      audioCopies: selectSoundCopies(agreements.audioUrl),
      duration: sql<number>`coalesce(${selectWholeSeconds(mediaFiles.durationMs)}, 1)`,
      peaks: mediaFiles.peaks,
      name: agreements.name,
    })
    .from(agreements)
    .innerJoin(recordings, eq(recordings.id, agreements.recordingId))
    .innerJoin(users, eq(users.id, recordings.studentId))
    .innerJoin(mediaFiles, eq(mediaFiles.name, agreements.audioUrl))
    .where(and(inArray(agreements.noteId, [...noteIds]), isNotNull(agreements.audioUrl), users.isActive));
  return new Map(rows.map(({ noteId, ...passage }) => [noteId, passage]));
}
