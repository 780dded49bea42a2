import type { Db } from '#server/db/database.ts';
import type { SearchRunner } from '#server/db/search.ts';
import { createBadInputError } from '#shared/errors.ts';
import { getSearchWords } from '#shared/search-words.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NotificationsService } from '#features/messages/notifications/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import type { FeedbackStatus } from '../contract.ts';
import { MAX_SNOOZE_DAYS, THREAD_PAGE_SIZE } from '../limits.ts';
import { formatMarks } from '../marks.ts';
import {
  type FeedbackCorrection,
  createFeedbackCorrector,
  getFeedback,
  feedbackNotFoundError,
} from './correct.ts';
import { createDraftsService, recordingNotFoundError } from './drafts.ts';
import { createHeldFeedbackService } from './held/held.ts';
import { lockHeldFeedbackFiles } from './held/store.ts';
import { createFeedbackSender } from './send.ts';
import type { FeedbackSoundsService } from './sounds.ts';
import * as store from './store.ts';

export type FeedbackService = ReturnType<typeof createFeedbackService>;

type Person = Pick<Caller, 'id' | 'role'>;
type Admin = Pick<Caller, 'id'>;

const STATUS_ORDER = ['unread', 'read', 'integrated'] as const satisfies FeedbackStatus[];

const DAY_MS = 24 * 60 * 60 * 1000;

export function createFeedbackService(deps: {
  db: Db;
  search: SearchRunner;
  media: MediaRepository;
  recordings: RecordingsService;
  sounds: FeedbackSoundsService;
  news: NotificationsService;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}) {
  const { db, search, recordings, news, clock } = deps;
  const listAll = store.prepareListAllFeedback(db);
  const studentsByFile = store.prepareFindStudentsByFeedbackFile(db);
  const held = createHeldFeedbackService(deps);
  const correct = createFeedbackCorrector(deps);
  const send = createFeedbackSender({ ...deps, held, correct });

  return {
    /**
     * Answers a recording: saves the feedback, its audio and the recording's new status in one transaction.
     * With `holdSeconds`, holds the feedback for that many seconds first, unless the admin already holds the
     * maximum number of replies. If this admin has already sent the `clientId`, returns the earlier result.
     * @throws AppError 'bad-input' (no content, or a mark outside the recording), 'not-found', 'conflict'
     *   (already answered, the reply was undone, the superseded feedback has been corrected, or the upload is
     *   incomplete), 'unsupported-media'
     */
    send,

    /**
     * Corrects released feedback. Absent parts and the status stay unchanged. Written feedback that was built
     * from the marks is updated with them. A correction without changes has no effect and notifies nobody.
     * @throws AppError 'not-found', 'bad-input' (no content would remain, or a mark outside the recording),
     *   'conflict' (corrected since `basedOn`, or the upload is incomplete), 'unsupported-media'
     */
    correct: (id: number, correction: FeedbackCorrection, audio: StagedFile | undefined, admin: Admin) =>
      deps.sounds.settle(admin, correction, () => correct(id, correction, audio, admin)),

    /** @throws AppError 'not-found', also if the recording is still pending */
    async getByRecording(recordingId: number) {
      const [found] = await store.listFeedbackByRecordings(db, [recordingId]);
      if (!found) throw feedbackNotFoundError();
      return found;
    },

    /** Returns the feedback on these recordings, in no particular order. Pending recordings have none. */
    listByRecordings: (recordingIds: number[]) => store.listFeedbackByRecordings(db, recordingIds),

    /**
     * Returns the texts of an admin's newest replies (at most `most`) to recordings of a melody, newest
     * first: typed feedback and the texts of marks.
     */
    async listTextsByMelody(melodyId: number, admin: Pick<Caller, 'id'>, most: number) {
      const answers = await store.listFeedbackTextsByMelody(db, melodyId, admin.id, most);
      return answers.map(({ student, writtenFeedback, marks }) => ({
        student,
        texts: [
          ...(writtenFeedback === null || writtenFeedback === formatMarks(marks) ? [] : [writtenFeedback]),
          ...marks.map(({ text }) => text),
        ],
      }));
    },

    /**
     * Returns the total size of the audio in the feedback released to a student, in bytes: spoken parts and
     * voice comments.
     */
    getSoundBytes: (studentId: string) => store.sumFeedbackSoundBytes(db, studentId),

    /**
     * Returns a page of attempts at a recording's melody, with their feedback. The first page has the newest
     * attempts, and each page is sorted oldest first.
     * @throws AppError 'not-found', also for another student's recording
     */
    async listThread(recordingId: number, viewer: Person, before?: number) {
      const attempts = await recordings.thread(recordingId, viewer, { before, size: THREAD_PAGE_SIZE });
      if (!attempts) throw recordingNotFoundError();
      const given = await store.listFeedbackByRecordings(
        db,
        attempts.rows.map(({ id }) => id),
      );
      const rows = attempts.rows.map((recording) => ({
        recording,
        feedback: given.find((each) => each.recordingId === recording.id) ?? null,
      }));
      return { ...attempts, rows: rows.reverse() };
    },

    /**
     * Returns the feedback on a recording. If the recording has none yet, returns the feedback on the newest
     * answered attempt at its melody, or null.
     * @throws AppError 'not-found', also for another student's recording
     */
    async findLatest(recordingId: number, student: Person) {
      const attempt = await recordings.ownAttempt(recordingId, student);
      if (!attempt) throw recordingNotFoundError();
      return store.findFeedbackOnAttemptOrNewest(db, attempt);
    },

    ...createDraftsService(db),
    held,

    /** Lists the pending recordings that an admin has snoozed. Other users don't see these snoozes. */
    listSnoozedRecordings: (admin: Admin, after?: readonly [number]) =>
      store.listSnoozedRecordings(db, admin.id, after),

    /**
     * Snoozes a recording until a time; null ends the snooze.
     * @throws AppError 'bad-input' (`until` is in the past or more than a year away), 'not-found' (also if the
     *   recording is answered)
     */
    async snooze(recordingId: number, until: Date | null, admin: Admin) {
      const days = until === null ? 0 : (until.getTime() - clock().getTime()) / DAY_MS;
      if (days < 0 || days > MAX_SNOOZE_DAYS)
        throw createBadInputError('Please choose a day within the next year.');
      await db.transaction(async (tx) => {
        if ((await recordings.lockPending(tx, recordingId)) === null) throw recordingNotFoundError();
        if (until === null) await store.deleteSnooze(tx, recordingId, admin.id);
        else await store.upsertSnooze(tx, { recordingId, adminId: admin.id, until });
        await news.announceSnoozeChanged(tx, admin.id);
      });
    },

    /** Lists the feedback on the student's recordings, newest first, a page at a time. */
    listForStudent: (student: Person, before?: number) =>
      store.listFeedbackForStudent(db, student.id, before),

    /**
     * Lists all feedback, newest first, a page at a time. With `q`, lists only feedback for which every word
     * occurs in the student's name or in a title.
     * @param signal aborts a search
     */
    async listAllFeedback(
      { before, q = '' }: { before?: number | undefined; q?: string | undefined },
      signal?: AbortSignal,
    ) {
      const words = getSearchWords(q);
      if (words.length === 0) return listAll(before);
      return search((tx) => store.searchFeedback(tx, words, before), signal);
    },

    findNewestUnread: (student: Person) => store.findNewestUnreadFeedback(db, student.id),

    countUnread: (student: Person) => store.countUnreadFeedback(db, student.id),

    /**
     * Advances the status of feedback. Setting the current status has no effect.
     * @throws AppError 'not-found' (also for another student's feedback), 'bad-input' (a step backwards)
     */
    async setStatus(id: number, status: FeedbackStatus, student: Person) {
      await db.transaction(async (tx) => {
        const present = await store.lockFeedbackStatus(tx, id, student.id);
        if (present === null) throw feedbackNotFoundError();
        const step = STATUS_ORDER.indexOf(status) - STATUS_ORDER.indexOf(present);
        if (step < 0) throw createBadInputError(`This feedback is already ${present}.`);
        if (step === 0) return;
        await store.setFeedbackStatus(tx, id, status);
        await news.announceFeedbackSeen(tx, student.id, () => store.countUnreadFeedback(tx, student.id));
      });
      return getFeedback(db, id);
    },

    /**
     * Returns the names of all files in feedback to a student, released or held, and locks their rows until
     * the transaction ends.
     */
    lockFilesOf: async (tx: Db, studentId: string) => [
      ...(await store.lockReplyFiles(tx, studentId)),
      ...(await lockHeldFeedbackFiles(tx, { studentId })),
      ...(await store.lockVoiceFiles(tx, { studentId })),
    ],

    async canOpenFiles(asked: { viewer: Person; name: string }[]) {
      const studentOf = await studentsByFile(asked.map(({ name }) => name));
      return asked.map(({ viewer, name }) => viewer.role === 'admin' || studentOf.get(name) === viewer.id);
    },
  };
}

/**
 * Returns the names of the files that are deleted with a pending recording, and locks their rows until the
 * transaction ends.
 */
export const lockFeedbackFilesOfRecording = async (tx: Db, recordingId: number) => [
  ...(await lockHeldFeedbackFiles(tx, { recordingId })),
  ...(await store.lockVoiceFiles(tx, { recordingId })),
];
