import { randomUUID } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Db } from '#server/db/database.ts';
import { hasClientIdTombstone, insertClientIdTombstones } from '#server/db/client-id-tombstones.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import { toWholeSeconds } from '#shared/media.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NotificationsService } from '#features/messages/notifications/server/service.ts';
import type { QuotasService } from '#features/uploads/quotas/server/service.ts';
import type { DeleteClaimedUpload, UploadsService } from '#features/uploads/server/service.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { PendingRecording, recordingsApi } from '../contract.ts';
import { MISSING_RECORDING_MESSAGE, recordingAudioSlot } from '../limits.ts';
import { labelFile } from './file-label.ts';
import * as store from './store.ts';

export type RecordingsService = ReturnType<typeof createRecordingsService>;
export type { LostRecording } from './store.ts';

type NewRecording = BodyOf<typeof recordingsApi.submit>;

const RECOVERED_TITLE = 'Recovered recording';
const RECOVERED_MESSAGE =
  'This recording was recovered after a problem with the server. Its title and message were lost.';

type RecordingOwner = Pick<Caller, 'id' | 'role'>;

export function createRecordingsService(deps: {
  db: Db;
  media: MediaRepository;
  melodies: MelodiesService;
  uploads: UploadsService;
  quotas: QuotasService;
  news: NotificationsService;
  /** Finds the sung lines in recordings, in the background. */
  recordingLines: {
    queueRecording(tx: Db, id: number): Promise<unknown>;
    findLineDeviations(
      ids: readonly number[],
    ): Promise<Map<number, NonNullable<PendingRecording['sungOtherwise']>>>;
  };
  /** Returns the files that are deleted along with a recording, and locks them until the transaction ends. */
  lockRelatedFiles: (tx: Db, recordingId: number) => Promise<(string | null)[]>;
  clock: Clock;
}) {
  const { db, media, melodies, uploads, quotas, news, recordingLines, lockRelatedFiles, clock } = deps;
  const studentsByFile = store.prepareFindStudentsByRecordingFile(db);

  /**
   * Stores a recording with its audio, unless the student's quota is used up. Claims the upload, queues the
   * search for lines, and announces the recording to the teacher.
   * @param recoveredFrom time of the submission, if the recording is recovered. It then doesn't count towards
   * the quota.
   */
  async function keep(
    { title, message, melodyId, clientId, peaks, ...rest }: Omit<NewRecording, 'uploadId'>,
    audio: StagedFile | null,
    student: RecordingOwner,
    takeUpload: DeleteClaimedUpload,
    recoveredFrom?: Date,
  ) {
    assertExhaustive(rest);
    if (!audio) throw createBadInputError(MISSING_RECORDING_MESSAGE);
    if (!recoveredFrom) await quotas.assertCanStore(db, student.id, audio.size);
    const key = clientId ?? randomUUID();
    const sound = labelFile(await media.audio(audio, recordingAudioSlot, student.id, peaks), {
      ...{ studentId: student.id, clientId: key, melodyId: melodyId ?? null },
      submittedAt: recoveredFrom ?? clock(),
    });
    return media.saveInTransaction([sound], async (tx) => {
      if (!recoveredFrom) await quotas.claim(tx, student.id, audio.size);
      const made = await store.insertRecording(tx, {
        title,
        message: message?.trim() || null,
        audioUrl: sound.row.name,
        duration: toWholeSeconds((sound.row.durationMs ?? 0) / 1000),
        studentId: student.id,
        melodyId: melodyId ? await melodies.lockMelody(tx, student, melodyId) : null,
        clientId: key,
        ...(recoveredFrom && { createdAt: recoveredFrom }),
      });
      if (made === null) throw new AlreadySubmittedError();
      if (await hasClientIdTombstone(tx, student.id, key)) throw alreadyWithdrawnError();
      await takeUpload(tx);
      await recordingLines.queueRecording(tx, made);
      await news.announceRecordingSubmitted(tx, student.id);
      // Reads the recording within the transaction, because it may be deleted as soon as the transaction
      // commits.
      return (await store.findRecording(tx, { id: made }))!;
    });
  }

  return {
    /** Fills the search column of recordings that are older than the column. Called at startup. */
    async backfillSearchColumns() {
      while ((await db.transaction(store.backfillFoldedTitles)) > 0);
    },

    /**
     * Stores a recording's audio file and its row atomically. If the student has sent the same `clientId`
     * before, returns the existing recording with `isNew: false` and ignores all other fields. If the melody
     * is deleted or the student may no longer hear it, stores the recording without a melody.
     * @param audio the file, if it was sent with the call instead of being uploaded first
     * @throws AppError 'bad-input' (also if the recording was withdrawn), 'unsupported-media', 'conflict'
     * (the upload is incomplete or was already claimed), 'too-many' (the student's daily quota is used up),
     * 'storage-full'
     */
    submit: (
      { uploadId, ...recording }: NewRecording,
      audio: StagedFile | undefined,
      student: RecordingOwner,
    ) =>
      uploads.settle(student.id, uploadId, async () => {
        const { clientId } = recording;
        const known = clientId && (await store.findRecordingByClientId(db, student.id, clientId));
        if (known) return { recording: known, isNew: false };
        if (await hasClientIdTombstone(db, student.id, clientId)) throw alreadyWithdrawnError();
        try {
          const made = await uploads.withFile(
            { ownerId: student.id, file: audio, uploadId },
            recordingAudioSlot,
            (file, take) => keep(recording, file, student, take),
          );
          return { recording: made, isNew: true };
        } catch (error) {
          // Returns the existing recording if a concurrent call with the same `clientId` has stored it and
          // claimed the upload.
          const other = clientId && (await store.findRecordingByClientId(db, student.id, clientId));
          if (other) return { recording: other, isNew: false };
          throw error;
        }
      }),

    /**
     * Finds recordings whose files exist although the database has no trace of them, as after a failover to a
     * standby that had not received them yet. Leaves out recordings that were withdrawn or sent again.
     * @param names names of stored files, at most FILE_BATCH_SIZE
     */
    findLost: (names: string[]) => store.findLostRecordings(db, names),

    /**
     * Stores a lost recording again, with its original time but without its title and message. Like `submit`,
     * stores it without its melody if the melody no longer exists, or the student may no longer hear it.
     * A no-op if the device has sent the recording again since it was found.
     * @param audio a copy of the recording's file
     */
    async recover({ label, melodyTitle }: store.LostRecording, audio: StagedFile): Promise<void> {
      const { studentId, clientId, submittedAt, melodyId } = label;
      const student = { id: studentId, role: 'student' } as const;
      const recording =
        melodyId !== null && melodyTitle !== null && (await melodies.lockMelody(db, student, melodyId))
          ? { title: melodyTitle, melodyId }
          : { title: RECOVERED_TITLE };
      try {
        await keep(
          { ...recording, message: RECOVERED_MESSAGE, clientId },
          audio,
          student,
          () => Promise.resolve(),
          submittedAt,
        );
      } catch (error) {
        if (!(error instanceof AlreadySubmittedError)) throw error;
      }
    },

    /** Returns a page of the student's recordings, newest first. */
    listOf: (student: Pick<RecordingOwner, 'id'>, before?: number) =>
      store.listRecordingsOfStudent(db, student.id, before),

    /** Returns the total size of the student's recordings, in bytes. */
    bytesOf: (studentId: string) => store.sumRecordingFileSizes(db, studentId),

    countOf: (student: RecordingOwner, melodyId: number) =>
      store.countAttemptsAtMelody(db, student.id, melodyId),

    waitingOf: (student: RecordingOwner) => store.getPendingRecordingSummary(db, student.id),

    /**
     * Deletes an unanswered recording and its file.
     * @throws AppError 'not-found' (also for another student's recording), 'conflict' (already answered)
     */
    async withdraw(id: number, student: RecordingOwner) {
      const files = await db.transaction(async (tx) => {
        const own = await store.lockOwnRecording(tx, id, student.id);
        if (!own) throw createNotFoundError('This recording no longer exists.');
        if (own.status === 'reviewed')
          throw createConflictError(
            'There is already feedback on this recording, so you can’t take it back.',
          );
        const along = await lockRelatedFiles(tx, id);
        await store.deleteRecording(tx, id);
        await insertClientIdTombstones(tx, student.id, [own.clientId]);
        await news.announceRecordingWithdrawn(tx, student.id);
        return media.deleteRows(tx, [own.audioUrl, ...along]);
      });
      await media.removeFiles(files);
    },

    /**
     * Returns a page of the student's attempts at the recording's melody, newest first, or null if the viewer
     * may not see the recording.
     */
    thread: (id: number, viewer: RecordingOwner, part: store.ThreadPageOptions) =>
      store.listRecordingThread(db, id, part, viewer.role === 'admin' ? undefined : viewer.id),

    /** Returns the owner and the melody of a recording, or null if it is not the student's. */
    ownAttempt: (id: number, student: RecordingOwner) =>
      store.findRecordingOwnerAndMelody(db, id, student.id),

    /** Returns a page of pending recordings, oldest first. */
    listPending: (after?: readonly [Date, number]) => store.listPendingRecordings(db, after),

    /** Like `listPending`, but also returns the lines that were certainly left out or repeated. */
    async listPendingWithLines(after?: readonly [Date, number]) {
      const page = await store.listPendingRecordings(db, after);
      const otherwise = await recordingLines.findLineDeviations(page.rows.map(({ id }) => id));
      return {
        ...page,
        rows: page.rows.map((recording) => ({ ...recording, sungOtherwise: otherwise.get(recording.id) })),
      };
    },

    countPending: () => store.countPendingRecordings(db),

    /**
     * Marks a recording as answered. Call it in the transaction that stores the feedback.
     * @returns the student's id, or null if the recording was already answered or no longer exists
     */
    markReviewed: (tx: Db, id: number) => store.markRecordingReviewed(tx, id),

    /**
     * Locks a pending recording until the transaction ends.
     * @returns the student's id, or null if the recording is not pending
     */
    lockPending: (tx: Db, id: number) => store.lockPendingRecording(tx, id),

    find: (id: number) => store.findRecording(db, { id }),

    /** Locks a student's recordings until the transaction ends, and returns the names of their files. */
    lockFilesOf: (tx: Db, studentId: string) => store.lockRecordingFilesOfStudent(tx, studentId),

    async canOpenFiles(asked: { viewer: RecordingOwner; name: string }[]) {
      const studentOf = await studentsByFile(asked.map(({ name }) => name));
      return asked.map(({ viewer, name }) => viewer.role === 'admin' || studentOf.get(name) === viewer.id);
    },
  };
}

/** Thrown to roll back the transaction, so that the file of the duplicate is removed again. */
class AlreadySubmittedError extends Error {}

/**
 * Creates the error for a recording that the student withdrew. The device then keeps the recording, shows the
 * message and does not retry.
 */
const alreadyWithdrawnError = () =>
  createBadInputError('You took this recording back, so it wasn’t sent again.');
