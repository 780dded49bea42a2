import type { Db } from '#server/db/database.ts';
import { isKeySpent, spendKeys } from '#server/db/spent-keys.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { badInput, conflict, notFound } from '#shared/errors.ts';
import { toWholeSeconds } from '#shared/media.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NewsService } from '#features/messages/notifications/server/service.ts';
import type { QuotasService } from '#features/uploads/quotas/server/service.ts';
import type { ClaimUpload, UploadsService } from '#features/uploads/server/service.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { PendingRecording, recordingsApi } from '../contract.ts';
import { MISSING_RECORDING, recordingAudioSlot } from '../limits.ts';
import * as store from './store.ts';

export type RecordingsService = ReturnType<typeof createRecordingsService>;

type NewRecording = BodyOf<typeof recordingsApi.submit>;

type RecordingOwner = Pick<Caller, 'id' | 'role'>;

export function createRecordingsService(deps: {
  db: Db;
  media: MediaRepository;
  melodies: MelodiesService;
  uploads: UploadsService;
  quotas: QuotasService;
  news: NewsService;
  /** Finds the lines in recordings, in the background. */
  recordingLines: {
    queueRecording(tx: Db, id: number): Promise<unknown>;
    findLineDeviations(
      ids: readonly number[],
    ): Promise<Map<number, NonNullable<PendingRecording['sungOtherwise']>>>;
  };
  /** Returns the files that are deleted along with a recording, and locks them until the transaction ends. */
  lockRelatedFiles: (tx: Db, recordingId: number) => Promise<(string | null)[]>;
}) {
  const { db, media, melodies, uploads, quotas, news, recordingLines, lockRelatedFiles } = deps;
  const studentsByFile = store.mapFilesToStudents(db);

  /** Stores the recording with its sound, and takes the upload that it was sent in. */
  async function keep(
    { title, message, melodyId, clientId, peaks, ...rest }: Omit<NewRecording, 'uploadId'>,
    audio: StagedFile | null,
    student: RecordingOwner,
    takeUpload: ClaimUpload,
  ) {
    assertExhaustive(rest);
    if (!audio) throw badInput(MISSING_RECORDING);
    await quotas.assertCanStore(db, student.id, audio.size);
    const sound = await media.audio(audio, recordingAudioSlot, student.id, peaks);
    return media.saveInTransaction([sound], async (tx) => {
      await quotas.claim(tx, student.id, audio.size);
      const made = await store.insertRecording(tx, {
        title,
        message: message?.trim() || null,
        audioUrl: sound.row.name,
        duration: toWholeSeconds((sound.row.durationMs ?? 0) / 1000),
        studentId: student.id,
        melodyId: melodyId ? await melodies.lockMelody(tx, student, melodyId) : null,
        clientId: clientId ?? null,
      });
      if (made === null) throw new AlreadySubmittedError();
      if (await isKeySpent(tx, student.id, clientId)) throw alreadyWithdrawnError();
      await takeUpload(tx);
      await recordingLines.queueRecording(tx, made);
      await news.recordingSubmitted(tx, student.id);
      // Read it within the transaction: it may be deleted as soon as this has committed.
      return (await store.findRecording(tx, { id: made }))!;
    });
  }

  return {
    /** Folds the titles of recordings that are older than the search column. Called at startup. */
    async backfillSearchColumns() {
      while ((await db.transaction(store.backfillFoldedTitles)) > 0);
    },

    /**
     * Stores a recording, its sound and its row as one unit. If the student has sent the `clientId` before, returns
     * the first recording, whatever else is sent with it. If the melody is gone, or the student may no longer hear
     * it, the recording is stored without it.
     * @param audio the file, if it was sent with the call instead of being uploaded first
     * @throws AppError 'bad-input' (also if it was withdrawn since), 'unsupported-media', 'conflict' (the upload is
     * incomplete, or was taken), 'too-many' (the student's daily quota is used up), 'storage-full'
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
        if (await isKeySpent(db, student.id, clientId)) throw alreadyWithdrawnError();
        try {
          const made = await uploads.withFile(
            { ownerId: student.id, file: audio, uploadId },
            recordingAudioSlot,
            (file, take) => keep(recording, file, student, take),
          );
          return { recording: made, isNew: true };
        } catch (error) {
          // The same recording was sent twice at once: the other call has stored it and taken the upload.
          const other = clientId && (await store.findRecordingByClientId(db, student.id, clientId));
          if (other) return { recording: other, isNew: false };
          throw error;
        }
      }),

    /** Returns a page of recordings, newest first. */
    listOf: (student: Pick<RecordingOwner, 'id'>, before?: number) =>
      store.listRecordingsOfStudent(db, student.id, before),

    /** Returns the total size of the student's files, in bytes. */
    bytesOf: (studentId: string) => store.sumStudentFileSizes(db, studentId),

    countOf: (student: RecordingOwner, melodyId: number) =>
      store.countAttemptsAtMelody(db, student.id, melodyId),

    waitingOf: (student: RecordingOwner) => store.getPendingSummary(db, student.id),

    /**
     * Deletes a recording that has not been answered, with its file.
     * @throws AppError 'not-found' (also another student's), 'conflict' (answered)
     */
    async withdraw(id: number, student: RecordingOwner) {
      const files = await db.transaction(async (tx) => {
        const own = await store.lockOwnRecording(tx, id, student.id);
        if (!own) throw notFound('This recording no longer exists.');
        if (own.status === 'reviewed')
          throw conflict('There is already feedback on this recording, so you can’t take it back.');
        const along = await lockRelatedFiles(tx, id);
        await store.deleteRecording(tx, id);
        await spendKeys(tx, student.id, [own.clientId]);
        await news.recordingWithdrawn(tx, student.id);
        return media.forget(tx, [own.audioUrl, ...along]);
      });
      await media.removeFiles(files);
    },

    /** Returns a page of the attempts at a recording's melody, newest first; null if the viewer may not see it. */
    thread: (id: number, viewer: RecordingOwner, part: store.ThreadPageOptions) =>
      store.listThread(db, id, part, viewer.role === 'admin' ? undefined : viewer.id),

    /** Returns the owner and the melody of one of the student's recordings; null if it is not theirs. */
    ownAttempt: (id: number, student: RecordingOwner) => store.findAttempt(db, id, student.id),

    /** Returns a page of pending recordings, oldest first. */
    listPending: (after?: readonly [Date, number]) => store.listPending(db, after),

    /** Returns the same, with the lines that were left out or repeated. */
    async listPendingWithLines(after?: readonly [Date, number]) {
      const page = await store.listPending(db, after);
      const otherwise = await recordingLines.findLineDeviations(page.rows.map(({ id }) => id));
      return {
        ...page,
        rows: page.rows.map((recording) => ({ ...recording, sungOtherwise: otherwise.get(recording.id) })),
      };
    },

    countPending: () => store.countPending(db),

    /**
     * Marks a recording as answered. Call it in the transaction that stores the answer.
     * @returns the student's id; null if it was already answered or is gone
     */
    markReviewed: (tx: Db, id: number) => store.markReviewed(tx, id),

    /**
     * Locks a pending recording until the transaction ends.
     * @returns the student's id; null unless it is pending
     */
    lockPending: (tx: Db, id: number) => store.lockPendingRecording(tx, id),

    find: (id: number) => store.findRecording(db, { id }),

    /** Returns the files of all of a student's recordings, and locks them until the transaction ends. */
    lockFilesOf: (tx: Db, studentId: string) => store.lockFilesOf(tx, studentId),

    async canOpenFiles(asked: { viewer: RecordingOwner; name: string }[]) {
      const studentOf = await studentsByFile(asked.map(({ name }) => name));
      return asked.map(({ viewer, name }) => viewer.role === 'admin' || studentOf.get(name) === viewer.id);
    },
  };
}

/** Thrown within the transaction, so that the second file is removed again. */
class AlreadySubmittedError extends Error {}

/** The device does not retry after this error: it keeps the recording and shows the message. */
const alreadyWithdrawnError = () => badInput('You took this recording back, so it wasn’t sent again.');
