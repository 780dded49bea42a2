import { violates, type Db } from '#server/db/database.ts';
import type { Search } from '#server/db/search.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { badInput, conflict, notFound } from '#shared/errors.ts';
import { wordsOf } from '#shared/search-words.ts';
import type { Clock } from '#server/clock.ts';
import type { Media, NewMedia } from '#server/media/keep.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NewsService } from '#features/messages/notifications/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import { UploadStays, type TakeUpload, type UploadsService } from '#features/uploads/server/service.ts';
import type { feedbackApi, FeedbackStatus, Mark } from '../contract.ts';
import { MISSING_FEEDBACK, THREAD_PAGE, feedbackAudioSlot } from '../limits.ts';
import { areSameMarks, listOf, toSend, writtenFrom } from '../marks.ts';
import { putAsideIn } from './aside/put-aside.ts';
import { draftsIn, noSuchRecording } from './drafts.ts';
import type { HeldAnswer, heldFeedbackIn } from './held/held-feedback.ts';
import * as store from './store.ts';
import type { NewVoices, voicesIn } from './voices/voices.ts';

export type FeedbackService = ReturnType<typeof feedbackService>;

type NewFeedback = BodyOf<typeof feedbackApi.send>;
type Correction = BodyOf<typeof feedbackApi.correct>;
type Said = Pick<NewFeedback & Correction, 'writtenFeedback' | 'marks' | 'uploadId' | 'peaks'>;

type Person = Pick<Caller, 'id' | 'role'>;

const ORDER = ['unread', 'read', 'integrated'] as const satisfies FeedbackStatus[];

export function feedbackService(deps: {
  db: Db;
  search: Search;
  media: Media;
  recordings: RecordingsService;
  held: ReturnType<typeof heldFeedbackIn>;
  uploads: UploadsService;
  voices: ReturnType<typeof voicesIn>;
  news: NewsService;
  clock: Clock;
}) {
  const { db, search, media, recordings, held, uploads, voices, news, clock } = deps;
  const listAll = store.listAll(db);
  const studentsByFile = store.studentsByFile(db);

  /**
   * What was spoken: the reply, sent with the call or uploaded before, null without one; and what is said at moments.
   * @param marks null where they stay as they are
   */
  const withSounds = <T>(
    { uploadId, peaks }: Said,
    audio: StagedFile | undefined,
    { recordingId, marks, admin }: { recordingId: number; marks: readonly Mark[] | null; admin: Person },
    use: (sounds: { reply: NewMedia | null; takeReply: TakeUpload; said: NewVoices }) => Promise<T>,
  ) =>
    uploads.withFile(
      { ownerId: admin.id, file: audio, uploadId },
      feedbackAudioSlot,
      async (file, takeReply) => {
        const reply = file && (await media.audio(file, feedbackAudioSlot, admin.id, peaks));
        return voices.withVoices({ recordingId, marks, admin }, (said) => use({ reply, takeReply, said }));
      },
    );

  /** Runs a call that names uploads; see `settle` of the uploads. */
  const settle = <T>(admin: Person, { uploadId, marks }: Said, commit: () => Promise<T>) =>
    voices.settle(admin, marks, () => uploads.settle(admin.id, uploadId, commit));

  async function find(id: number) {
    const found = await store.findFeedback(db, id);
    if (!found) throw notFound('No such feedback');
    return found;
  }

  /** @param clientId stored as the idempotency key, when a reply supersedes an earlier try */
  async function change(
    id: number,
    correction: Correction,
    audio: StagedFile | undefined,
    admin: Person,
    clientId?: string,
  ) {
    const {
      writtenFeedback: text,
      marks: newMarks,
      removeAudio,
      basedOn,
      uploadId,
      peaks,
      ...rest
    } = correction;
    nothingLeft(rest);
    const { recordingId } = await find(id);
    const changedMarks = newMarks ? toSend(newMarks) : null;
    const place = { recordingId, marks: changedMarks, admin };
    const replaced = await withSounds(
      { uploadId, peaks },
      audio,
      place,
      ({ reply: sound, takeReply, said }) =>
        media.saveInTransaction([...(sound ? [sound] : []), ...said.media], async (tx) => {
          const before = await store.lockFeedback(tx, id);
          if (!before) throw notFound('No such feedback');
          const marks = changedMarks ?? before.marks;
          mustLieWithin(before.duration, marks);
          const wasMadeOfMarks = before.writtenFeedback === listOf(before.marks);
          const typed = text?.trim() ?? (wasMadeOfMarks ? '' : (before.writtenFeedback ?? ''));
          const writtenFeedback = typed || writtenFrom(marks) || null;
          const keptAudio = removeAudio === 'true' ? null : before.audioFeedbackUrl;
          const audioFeedbackUrl = sound?.row.name ?? keptAudio;
          if (!writtenFeedback && !audioFeedbackUrl) throw badInput(MISSING_FEEDBACK);
          if (
            writtenFeedback === before.writtenFeedback &&
            audioFeedbackUrl === before.audioFeedbackUrl &&
            areSameMarks(marks, before.marks) &&
            said.media.length === 0
          )
            return [];
          // Checked only if something differs: the same correction may be sent again because its response was lost.
          if (wasOvertaken(basedOn, before)) throw new UploadStays(OVERTAKEN);
          await store.updateFeedback(tx, id, {
            writtenFeedback,
            marks,
            audioFeedbackUrl,
            correctedAt: laterThan(before.correctedAt, clock()),
            ...(clientId !== undefined && { clientId }),
          });
          await takeReply(tx);
          const unnamed = await said.keep(tx);
          await news.feedbackCorrected(tx, before.studentId);
          return audioFeedbackUrl === before.audioFeedbackUrl
            ? unnamed
            : [...unnamed, ...(await media.forget(tx, [before.audioFeedbackUrl]))];
        }),
    );
    await media.removeFiles(replaced);
    return find(id);
  }

  /**
   * The feedback created by an earlier call with this reply, or by an earlier try that it supersedes, which is
   * corrected to it; null when none has arrived. A spoken part is kept if only the earlier try has one.
   */
  async function arrivedBefore(reply: NewFeedback, audio: StagedFile | undefined, admin: Person) {
    const { clientId, supersedes = [], recordingId, writtenFeedback = '', marks = [], ...rest } = reply;
    const { uploadId, peaks, holdSeconds: _, ...forgotten } = rest;
    nothingLeft(forgotten);
    if (!clientId) return null;
    const same = await store.findByClientId(db, admin.id, clientId);
    if (same || supersedes.length === 0) return same;
    const earlier = await store.findAttempt(db, admin.id, recordingId, supersedes);
    if (!earlier) return null;
    const said = { writtenFeedback, marks, uploadId, peaks, basedOn: null };
    return change(earlier.id, said, audio, admin, clientId).catch(async (error: unknown) => {
      // A concurrent call with the same reply was first.
      const other = await store.findByClientId(db, admin.id, clientId);
      if (!other) throw error;
      return other;
    });
  }

  /** Sends a reply, or holds it if that is asked for. */
  const accept = (reply: NewFeedback, audio: StagedFile | undefined, admin: Person): Promise<Accepted> =>
    settle(admin, reply, async () => {
      const sentBefore = () => arrivedBefore(reply, audio, admin);
      const known = await sentBefore();
      if (known) return { feedback: known, isNew: false };
      const { clientId = null, supersedes = [], holdSeconds } = reply;
      const heldBefore = clientId && (await held.findByClientId(admin, clientId));
      if (heldBefore) {
        if (holdSeconds !== undefined) return { held: heldBefore };
        await held.letOut(heldBefore.recordingId);
        const out = await sentBefore();
        if (out) return { feedback: out, isNew: true };
      }
      const isToBeHeld = holdSeconds !== undefined && !(await held.isFull(admin));

      const marks = toSend(reply.marks ?? []);
      const writtenFeedback = reply.writtenFeedback?.trim() || writtenFrom(marks) || null;
      if (!writtenFeedback && !audio && !reply.uploadId) throw badInput(MISSING_FEEDBACK);
      const recording = await recordings.find(reply.recordingId);
      if (!recording) throw noSuchRecording();
      mustLieWithin(recording.duration, marks);
      if (recording.status === 'reviewed') {
        // Perhaps by a concurrent call with this very reply.
        const other = await sentBefore();
        if (other) return { feedback: other, isNew: false };
        throw answeredBefore();
      }

      try {
        const place = { recordingId: recording.id, marks, admin };
        const saved = await withSounds(reply, audio, place, ({ reply: sound, takeReply, said }) =>
          media.saveInTransaction([...(sound ? [sound] : []), ...said.media], async (tx) => {
            const row = {
              recordingId: recording.id,
              marks,
              audioFeedbackUrl: sound?.row.name ?? null,
              adminId: admin.id,
              clientId,
            };
            const finish = async () => {
              await store.deleteDraft(tx, recording.id, admin.id);
              await takeReply(tx);
              return said.keep(tx);
            };
            if (isToBeHeld) {
              if (!(await recordings.lockPending(tx, recording.id))) throw answeredBefore();
              const replaced = await held.replace(tx, recording.id, admin, supersedes);
              const typed = reply.writtenFeedback ?? null;
              const unnamed = await finish();
              const added = await held.add(tx, { ...row, writtenFeedback: typed }, holdSeconds);
              return { added, replaced: [...replaced, ...unnamed] };
            }
            const studentId = await recordings.markReviewed(tx, recording.id);
            if (studentId === null) throw answeredBefore();
            const replaced = await held.replace(tx, recording.id, admin, supersedes);
            if (await held.isHeld(tx, recording.id)) throw answeredBefore();
            const made = await store.insertFeedback(tx, { ...row, writtenFeedback });
            const unnamed = await finish();
            await news.feedbackGiven(tx, studentId);
            // Once this has committed, it may be deleted with its student at any moment.
            return { feedback: (await store.findFeedback(tx, made))!, replaced: [...replaced, ...unnamed] };
          }),
        );
        await media.removeFiles(saved.replaced);
        if ('added' in saved) {
          held.tell();
          return { held: saved.added };
        }
        return { feedback: saved.feedback, isNew: true };
      } catch (error) {
        // A double click sends the same reply twice concurrently, or an earlier try arrives late.
        const other = await sentBefore();
        if (other) return { feedback: other, isNew: false };
        const otherHeld = clientId && (await held.findByClientId(admin, clientId));
        if (otherHeld && holdSeconds !== undefined) return { held: otherHeld };
        // The recording was withdrawn, or deleted with its student, while the reply was being saved.
        if (!(await recordings.find(recording.id))) throw noSuchRecording();
        throw violates(error, 'feedback_one_for_each_recording') || violates(error, 'held_feedback_pkey')
          ? answeredBefore()
          : error;
      }
    });

  return {
    /**
     * Answers a recording: the feedback, its sound and the recording's new status are saved in one transaction. With
     * marks and nothing written, the written feedback is made of them, if any has words. A `clientId` that this admin
     * has sent before returns the feedback created then. An earlier try that the reply supersedes is corrected to it.
     * @param audio the spoken part, if sent with the call rather than uploaded before
     * @throws AppError 'bad-input' (nothing said), 'not-found', 'conflict' (answered before, the earlier try was
     *   corrected since, or the upload is not complete), 'unsupported-media'
     */
    async send({ holdSeconds: _, ...reply }: NewFeedback, audio: StagedFile | undefined, admin: Person) {
      const sent = await accept(reply, audio, admin);
      if ('held' in sent) throw new Error('a reply was held that was to go out at once');
      return sent;
    },

    /**
     * As {@link send}, after `holdSeconds`; until then it can be taken back. The same reply sent without them goes out at
     * once, and so does one of an admin who holds as many as is allowed.
     */
    sendLater: accept,

    /**
     * Corrects feedback that was given; absent parts stay, and so does the status. Written feedback that was made of
     * the marks is updated with them. A correction without changes has no effect, and nobody is notified.
     * @throws AppError 'not-found', 'bad-input' (nothing would be left), 'conflict' (corrected since `basedOn`, or the
     *   upload is not complete), 'unsupported-media'
     */
    correct: (id: number, correction: Correction, audio: StagedFile | undefined, admin: Person) =>
      settle(admin, correction, () => change(id, correction, audio, admin)),

    /** @throws AppError 'not-found', also when the recording is still pending */
    async ofRecording(recordingId: number) {
      const [found] = await store.findOfRecordings(db, [recordingId]);
      if (!found) throw notFound('No such feedback');
      return found;
    },

    /** In no order; a recording that is pending has none. */
    onRecordings: (recordingIds: number[]) => store.findOfRecordings(db, recordingIds),

    /** The words of an admin's own answers at a melody, newest first: the written feedback, and those of the marks. */
    async writtenAt(melodyId: number, admin: Pick<Caller, 'id'>, most: number) {
      const answers = await store.listWrittenAt(db, melodyId, admin.id, most);
      return answers.map(({ student, writtenFeedback, marks }) => ({
        student,
        texts: [
          ...(writtenFeedback === null || writtenFeedback === listOf(marks) ? [] : [writtenFeedback]),
          ...marks.map(({ text }) => text),
        ],
      }));
    },

    /** How large the spoken replies to a student are together, with what is said at moments. */
    bytesOf: (studentId: string) => store.bytesOf(db, studentId),

    /**
     * The newest attempts at the melody of a recording, oldest first, with their feedback; the next page has those
     * before.
     * @throws AppError 'not-found', also for another student's recording
     */
    async thread(recordingId: number, viewer: Person, before?: number) {
      const attempts = await recordings.thread(recordingId, viewer, { before, size: THREAD_PAGE });
      if (!attempts) throw noSuchRecording();
      const given = await store.findOfRecordings(
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
     * The feedback on a recording or, while it has none, on the newest attempt at its melody that has any; null when
     * there is none.
     * @throws AppError 'not-found', also for another student's recording
     */
    async latest(recordingId: number, student: Person) {
      const attempt = await recordings.ownAttempt(recordingId, student);
      if (!attempt) throw noSuchRecording();
      return store.findNewestOf(db, attempt);
    },

    ...draftsIn(db),
    ...putAsideIn({ db, recordings, news, clock }),
    held,

    /** Feedback on the student's recordings, newest first, a page at a time. */
    listOf: (student: Person, before?: number) => store.listOfStudent(db, student.id, before),

    /**
     * All feedback, newest first, a page at a time; with `q`, only where the student or a title contains each word.
     * @param signal aborts a search
     */
    async listGiven(
      { before, q = '' }: { before?: number | undefined; q?: string | undefined },
      signal?: AbortSignal,
    ) {
      const words = wordsOf(q);
      if (words.length === 0) return listAll(before);
      return search((tx) => store.searchFeedback(tx, words, before), signal);
    },

    newestUnread: (student: Person) => store.findNewestUnread(db, student.id),

    countUnread: (student: Person) => store.countUnread(db, student.id),

    /**
     * Moves feedback forward; the same status again changes nothing.
     * @throws AppError 'not-found' (also another student's), 'bad-input' (backwards)
     */
    async setStatus(id: number, status: FeedbackStatus, student: Person) {
      await db.transaction(async (tx) => {
        const present = await store.lockStatus(tx, id, student.id);
        if (present === null) throw notFound('No such feedback');
        const step = ORDER.indexOf(status) - ORDER.indexOf(present);
        if (step < 0) throw badInput(`This feedback is ${present} already.`);
        if (step === 0) return;
        await store.setStatus(tx, id, status);
        await news.feedbackSeen(tx, student.id, () => store.countUnread(tx, student.id));
      });
      return find(id);
    },

    /** Files of the spoken replies to a student, locked until the transaction ends. */
    holdFilesOf: async (tx: Db, studentId: string) => [
      ...(await store.holdFilesOf(tx, studentId)),
      ...(await held.holdFilesOf(tx, studentId)),
      ...(await voices.holdFilesOf(tx, studentId)),
    ],

    async mayOpenFiles(asked: { viewer: Person; name: string }[]) {
      const studentOf = await studentsByFile(asked.map(({ name }) => name));
      return asked.map(({ viewer, name }) => viewer.role === 'admin' || studentOf.get(name) === viewer.id);
    },
  };
}

/** @param isNew false for one that had arrived before */
type Accepted =
  | { held: HeldAnswer }
  | { feedback: NonNullable<Awaited<ReturnType<typeof store.findFeedback>>>; isNew: boolean };

const OVERTAKEN = 'This feedback has been corrected meanwhile.';

const wasOvertaken = (basedOn: Correction['basedOn'], present: { correctedAt: Date | null }) =>
  basedOn !== undefined && basedOn?.getTime() !== present.correctedAt?.getTime();

/** Ensures that each correction has a distinct time, by which `basedOn` identifies it. */
const laterThan = (before: Date | null, now: Date) =>
  before && before >= now ? new Date(before.getTime() + 1) : now;

/** The server's length is in whole seconds, so a mark at the very end may lie up to one second after it. */
function mustLieWithin(seconds: number, marks: readonly Mark[]) {
  const lies = ({ start, end }: Mark) =>
    start <= seconds + 1 && (end === null || (end > start && end <= seconds + 1));
  if (!marks.every(lies)) throw badInput('A mark lies outside of the recording.');
}

const answeredBefore = () => conflict('This recording has been answered already.');
