import type { Db } from '#server/db/database.ts';
import { isSpent, spendKeys } from '#server/db/spent-keys.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { badInput, conflict, notFound } from '#shared/errors.ts';
import type { Media } from '#server/media/keep.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NewsService } from '#features/messages/notifications/server/service.ts';
import type { QuotasService } from '#features/uploads/quotas/server/service.ts';
import type { TakeUpload, UploadsService } from '#features/uploads/server/service.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { PendingRecording, recordingsApi } from '../contract.ts';
import { MISSING_RECORDING, recordingAudioSlot } from '../limits.ts';
import * as store from './store.ts';

export type RecordingsService = ReturnType<typeof recordingsService>;

type NewRecording = BodyOf<typeof recordingsApi.submit>;

type Person = Pick<Caller, 'id' | 'role'>;

export function recordingsService(deps: {
  db: Db;
  media: Media;
  melodies: MelodiesService;
  uploads: UploadsService;
  quotas: QuotasService;
  news: NewsService;
  /** Finds the lines in recordings, in the background. */
  recordingLines: {
    queueRecording(tx: Db, id: number): Promise<unknown>;
    sungOtherwise(
      ids: readonly number[],
    ): Promise<Map<number, NonNullable<PendingRecording['sungOtherwise']>>>;
  };
  /** Files of what is deleted along with a recording, locked until the transaction ends. */
  filesAlong: (tx: Db, recordingId: number) => Promise<(string | null)[]>;
}) {
  const { db, media, melodies, uploads, quotas, news, recordingLines, filesAlong } = deps;
  const studentsByFile = store.studentsByFile(db);

  /** Stores the recording with its sound, and takes the upload that it was sent in. */
  async function keep(
    { title, message, melodyId, clientId, peaks, ...rest }: Omit<NewRecording, 'uploadId'>,
    audio: StagedFile | null,
    student: Person,
    takeUpload: TakeUpload,
  ) {
    nothingLeft(rest);
    if (!audio) throw badInput(MISSING_RECORDING);
    await quotas.mayKeep(db, student.id, audio.size);
    const sound = await media.audio(audio, recordingAudioSlot, student.id, peaks);
    return media.saveInTransaction([sound], async (tx) => {
      await quotas.claim(tx, student.id, audio.size);
      const made = await store.insertRecording(tx, {
        title,
        message: message?.trim() || null,
        audioUrl: sound.row.name,
        duration: wholeSeconds(sound.row.durationMs),
        studentId: student.id,
        melodyId: melodyId ? await melodies.hold(tx, student, melodyId) : null,
        clientId: clientId ?? null,
      });
      if (made === null) throw new SentBefore();
      if (await isSpent(tx, student.id, clientId)) throw withdrawnBefore();
      await takeUpload(tx);
      await recordingLines.queueRecording(tx, made);
      await news.recordingSubmitted(tx, student.id);
      // Once this has committed, it may be deleted at any moment.
      return (await store.findRecording(tx, { id: made }))!;
    });
  }

  return {
    /** At startup, folds titles from before they were folded for the search. */
    async foldUnfolded() {
      while ((await db.transaction(store.foldSome)) > 0);
    },

    /**
     * Stores a recording, its sound and its row as one unit. If the student has sent the `clientId` before, returns the
     * recording made the first time, whatever else is sent with it. If the melody has gone, or the student may no
     * longer hear it, the recording is stored without it.
     * @param audio the file, if it was sent with the call and not uploaded before
     * @throws AppError 'bad-input' (also if it was withdrawn since), 'unsupported-media', 'conflict' (the upload is
     *   not complete, or was taken),
     *   'too-many' (the student has sent as much as is allowed in a day), 'storage-full'
     */
    submit: ({ uploadId, ...recording }: NewRecording, audio: StagedFile | undefined, student: Person) =>
      uploads.settle(student.id, uploadId, async () => {
        const { clientId } = recording;
        const known = clientId && (await store.findByClientId(db, student.id, clientId));
        if (known) return { recording: known, isNew: false };
        if (await isSpent(db, student.id, clientId)) throw withdrawnBefore();
        try {
          const made = await uploads.withFile(
            { ownerId: student.id, file: audio, uploadId },
            recordingAudioSlot,
            (file, take) => keep(recording, file, student, take),
          );
          return { recording: made, isNew: true };
        } catch (error) {
          // The same recording was sent twice concurrently: the other call has made it, and has taken the upload.
          const other = clientId && (await store.findByClientId(db, student.id, clientId));
          if (other) return { recording: other, isNew: false };
          throw error;
        }
      }),

    /** Newest first, a page at a time. */
    listOf: (student: Pick<Person, 'id'>, before?: number) => store.listOfStudent(db, student.id, before),

    /** How large their files are together. */
    bytesOf: (studentId: string) => store.bytesOf(db, studentId),

    /** How many recordings of a melody the student has sent. */
    countOf: (student: Person, melodyId: number) => store.countOfMelody(db, student.id, melodyId),

    waitingOf: (student: Person) => store.waitingOf(db, student.id),

    /**
     * Deletes a recording that has not been answered, with its file.
     * @throws AppError 'not-found' (also another student's), 'conflict' (answered)
     */
    async withdraw(id: number, student: Person) {
      const files = await db.transaction(async (tx) => {
        const own = await store.lockOwn(tx, id, student.id);
        if (!own) throw notFound('No such recording');
        if (own.status === 'reviewed')
          throw conflict('This recording has been answered already, so it can’t be withdrawn.');
        const along = await filesAlong(tx, id);
        await store.deleteRecording(tx, id);
        await spendKeys(tx, student.id, [own.clientId]);
        await news.recordingWithdrawn(tx, student.id);
        return media.forget(tx, [own.audioUrl, ...along]);
      });
      await media.removeFiles(files);
    },

    /** The attempts at the melody of a recording, newest first, in parts; null if the viewer may not see it. */
    thread: (id: number, viewer: Person, part: store.ThreadPart) =>
      store.listThread(db, id, part, viewer.role === 'admin' ? undefined : viewer.id),

    /** The owner and the melody of one of the student's recordings; null when the student has no such recording. */
    ownAttempt: (id: number, student: Person) => store.findAttempt(db, id, student.id),

    /** Oldest first. */
    listPending: (after?: readonly [Date, number]) => store.listPending(db, after),

    /** The same, with the lines that were left out or sung again. */
    async listPendingWithLines(after?: readonly [Date, number]) {
      const page = await store.listPending(db, after);
      const otherwise = await recordingLines.sungOtherwise(page.rows.map(({ id }) => id));
      return {
        ...page,
        rows: page.rows.map((recording) => ({ ...recording, sungOtherwise: otherwise.get(recording.id) })),
      };
    },

    countPending: () => store.countPending(db),

    /** To be called in the transaction that answers it. @returns the student's id; null if already answered or gone */
    markReviewed: (tx: Db, id: number) => store.markReviewed(tx, id),

    /** Locks it until the transaction ends. @returns the student's id; null unless it waits for an answer */
    lockPending: (tx: Db, id: number) => store.lockPending(tx, id),

    find: (id: number) => store.findRecording(db, { id }),

    /** The files of all of a student's recordings, which are locked until the transaction ends. */
    holdFilesOf: (tx: Db, studentId: string) => store.holdFilesOf(tx, studentId),

    async mayOpenFiles(asked: { viewer: Person; name: string }[]) {
      const studentOf = await studentsByFile(asked.map(({ name }) => name));
      return asked.map(({ viewer, name }) => viewer.role === 'admin' || studentOf.get(name) === viewer.id);
    },
  };
}

/** Thrown within the transaction, so that the second file is removed again. */
class SentBefore extends Error {}

/** Final for the device, which keeps the recording and says so. */
const withdrawnBefore = () => badInput('You withdrew this recording, so it was not sent again.');

/** Rounded to the nearest second, at least one. */
export const wholeSeconds = (ms: number | null | undefined) => Math.max(1, Math.round((ms ?? 0) / 1000));
