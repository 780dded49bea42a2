import type { Db } from '#server/db/database.ts';
import { hasClientIdTombstone } from '#server/db/client-id-tombstones.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createBadInputError, createConflictError } from '#shared/errors.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NotificationsService } from '#features/messages/notifications/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import type { Recording } from '#features/recordings/contract.ts';
import type { feedbackApi, Mark } from '../contract.ts';
import {
  ALREADY_HAS_FEEDBACK_MESSAGE,
  MISSING_FEEDBACK_MESSAGE,
  SENDING_CANCELLED_MESSAGE,
} from '../limits.ts';
import { getSendableMarks, composeWrittenFeedback } from '../marks.ts';
import { type createFeedbackCorrector, assertMarksWithinRecording } from './correct.ts';
import { recordingNotFoundError } from './drafts.ts';
import type { UndoneFeedback, HeldFeedbackService } from './held/held.ts';
import type { FeedbackSoundsService, NewSounds } from './sounds.ts';
import * as store from './store.ts';

type NewFeedback = BodyOf<typeof feedbackApi.send>;
type ImmediateFeedback = NewFeedback & { holdSeconds?: undefined };
type Admin = Pick<Caller, 'id'>;
type Feedback = NonNullable<Awaited<ReturnType<typeof store.findFeedback>>>;

/** `isNew` is true if this call released the feedback to the student. */
type CreatedFeedback = { feedback: Feedback; isNew: boolean };
type SendResult = { held: UndoneFeedback } | CreatedFeedback;

/** Creates the function that sends replies, immediately or after an undo window. */
export function createFeedbackSender(deps: {
  db: Db;
  media: MediaRepository;
  recordings: RecordingsService;
  sounds: FeedbackSoundsService;
  held: HeldFeedbackService;
  correct: ReturnType<typeof createFeedbackCorrector>;
  news: NotificationsService;
}) {
  const { db, media, recordings, sounds, held, correct, news } = deps;

  function send(
    reply: ImmediateFeedback,
    audio: StagedFile | undefined,
    admin: Admin,
  ): Promise<CreatedFeedback>;
  function send(reply: NewFeedback, audio: StagedFile | undefined, admin: Admin): Promise<SendResult>;
  function send(reply: NewFeedback, audio: StagedFile | undefined, admin: Admin): Promise<SendResult> {
    return sounds.settle(admin, reply, async () => {
      const findSent = () => findEarlier(reply, audio, admin);
      const earlier = await findSent();
      if (earlier) return earlier;
      const answer = validate(reply, audio);
      const recording = await getRecording(reply.recordingId);
      try {
        assertCanBeAnswered(recording, answer);
        const { sent, replaced } = await saveReply(answer, audio, admin);
        await media.removeFiles(replaced);
        if ('held' in sent) held.wakeWorker();
        return sent;
      } catch (error) {
        // Returns the result of the same reply if it was saved in the meantime, because of a double click or
        // an earlier request that arrived late.
        const other = await findSent();
        if (other) return other;
        // Throws 'not-found' if the recording was withdrawn, or deleted with its student, while the reply was
        // being saved.
        await getRecording(recording.id);
        throw error;
      }
    });
  }

  /**
   * Finds the result of an earlier call with this reply. If the reply supersedes one that was released,
   * replaces the content of the released feedback, but keeps its spoken part if this reply has none. Releases
   * a held reply that is sent again without `holdSeconds`.
   * @returns null if no earlier call has arrived, or if the reply has no `clientId`
   * @throws AppError 'conflict' if the reply was undone, or if the superseded feedback has been corrected
   */
  async function findEarlier(
    reply: NewFeedback,
    audio: StagedFile | undefined,
    admin: Admin,
  ): Promise<SendResult | null> {
    const { clientId, supersedes = [], recordingId, holdSeconds, ...content } = reply;
    if (!clientId) return null;
    const given = await store.findFeedbackByClientId(db, admin.id, clientId);
    if (given) return { feedback: given, isNew: false };

    const heldReply = await held.findByClientId(admin, clientId);
    if (heldReply && holdSeconds !== undefined) return { held: heldReply };
    if (heldReply) {
      await held.release(heldReply.recordingId);
      const released = await store.findFeedbackByClientId(db, admin.id, clientId);
      if (released) return { feedback: released, isNew: true };
    }
    if (await hasClientIdTombstone(db, admin.id, clientId))
      throw createConflictError(SENDING_CANCELLED_MESSAGE);

    if (supersedes.length === 0) return null;
    const superseded = await store.findFeedbackIdByClientIds(db, admin.id, recordingId, supersedes);
    if (!superseded) return null;
    const { writtenFeedback = '', marks = [] } = content;
    const correction = { ...content, writtenFeedback, marks, basedOn: null };
    try {
      return { feedback: await correct(superseded.id, correction, audio, admin, clientId), isNew: false };
    } catch (error) {
      // Returns the same reply if a concurrent call has saved it first.
      const other = await store.findFeedbackByClientId(db, admin.id, clientId);
      if (!other) throw error;
      return { feedback: other, isNew: false };
    }
  }

  /** @throws AppError 'not-found' */
  async function getRecording(recordingId: number) {
    const recording = await recordings.find(recordingId);
    if (!recording) throw recordingNotFoundError();
    return recording;
  }

  const saveReply = (answer: ValidatedReply, audio: StagedFile | undefined, admin: Admin) =>
    sounds.withSounds(answer.sounds, audio, { ...answer, admin }, async (added) => {
      const isHeld = answer.holdSeconds !== undefined && !(await held.isFull(admin));
      const save = isHeld ? holdReply : giveReply;
      return media.saveInTransaction(added.media, (tx): Promise<SaveResult> =>
        save(tx, answer, added, admin),
      );
    });

  /** Holds a reply. The recording stays pending, so the student sees nothing yet. */
  async function holdReply(tx: Db, answer: ValidatedReply, added: NewSounds, admin: Admin) {
    if ((await recordings.lockPending(tx, answer.recordingId)) === null) throw alreadyAnsweredError();
    const { row, replaced } = await replaceEarlierAttempts(tx, answer, added, admin);
    const waiting = { ...row, writtenFeedback: answer.typed };
    return { sent: { held: await held.add(tx, waiting, answer.holdSeconds!) }, replaced };
  }

  async function giveReply(tx: Db, answer: ValidatedReply, added: NewSounds, admin: Admin) {
    const studentId = await recordings.markReviewed(tx, answer.recordingId);
    if (studentId === null) throw alreadyAnsweredError();
    const { row, replaced } = await replaceEarlierAttempts(tx, answer, added, admin);
    const id = await store.insertFeedback(tx, { ...row, writtenFeedback: answer.writtenFeedback });
    await news.announceFeedbackGiven(tx, studentId);
    // Reads the feedback before the commit, because afterwards it may be deleted with its student at any
    // moment.
    return { sent: { feedback: (await store.findFeedback(tx, id))!, isNew: true }, replaced };
  }

  /**
   * Deletes a superseded held reply and the draft, and stores the audio. Requires the recording's lock. Undo
   * takes the same lock, so the key of an undone reply is already invalid here.
   * @returns the columns that held and released feedback share, and the files to remove once the transaction
   * has committed
   * @throws AppError 'conflict' if another reply to the recording is held, or if this reply was undone
   */
  async function replaceEarlierAttempts(tx: Db, answer: ValidatedReply, added: NewSounds, admin: Admin) {
    const { recordingId, clientId, marks, supersedes } = answer;
    const superseded = await held.dropSuperseded(tx, recordingId, admin, supersedes);
    if (await held.isHeld(tx, recordingId)) throw alreadyAnsweredError();
    if (await hasClientIdTombstone(tx, admin.id, clientId))
      throw createConflictError(SENDING_CANCELLED_MESSAGE);
    await store.deleteDraft(tx, recordingId, admin.id);
    const replaced = [...superseded, ...(await added.save(tx))];
    const row = { recordingId, clientId, marks, adminId: admin.id, audioFeedbackUrl: added.replyName };
    return { row, replaced };
  }

  return send;
}

/** `replaced` lists the files to remove once the transaction has committed. */
type SaveResult = { sent: SendResult; replaced: string[] };

type ValidatedReply = ReturnType<typeof validate>;

/**
 * Normalizes a reply. If the teacher typed nothing, builds the written feedback from the marks.
 * @throws AppError 'bad-input' if there is no content
 */
function validate(reply: NewFeedback, audio: StagedFile | undefined) {
  const { recordingId, clientId = null, supersedes = [], holdSeconds, uploadId, peaks, ...content } = reply;
  const { writtenFeedback: typed = null, marks: allMarks = [], ...rest } = content;
  assertExhaustive(rest);
  const marks = getSendableMarks(allMarks);
  const writtenFeedback = typed?.trim() || composeWrittenFeedback(marks) || null;
  if (!writtenFeedback && !audio && !uploadId) throw createBadInputError(MISSING_FEEDBACK_MESSAGE);
  const sounds = { uploadId, peaks };
  return { recordingId, clientId, supersedes, holdSeconds, typed, writtenFeedback, marks, sounds };
}

/** @throws AppError 'bad-input' (a mark outside the recording), 'conflict' (already answered) */
function assertCanBeAnswered(
  { duration, status }: Pick<Recording, 'duration' | 'status'>,
  { marks }: { marks: readonly Mark[] },
) {
  assertMarksWithinRecording(duration, marks);
  if (status === 'reviewed') throw alreadyAnsweredError();
}

const alreadyAnsweredError = () => createConflictError(ALREADY_HAS_FEEDBACK_MESSAGE);
