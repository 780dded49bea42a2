import type { Db } from '#server/db/database.ts';
import { isSpent } from '#server/db/spent-keys.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { badInput, conflict } from '#shared/errors.ts';
import type { Media } from '#server/media/keep.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NewsService } from '#features/messages/notifications/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import type { Recording } from '#features/recordings/contract.ts';
import type { feedbackApi, Mark } from '../contract.ts';
import { HAS_FEEDBACK, MISSING_FEEDBACK, TAKEN_BACK } from '../limits.ts';
import { toSend, writtenFrom } from '../marks.ts';
import { type correctionOf, mustLieWithin } from './correct.ts';
import { noSuchRecording } from './drafts.ts';
import type { HeldAnswer, HeldFeedback } from './held/held.ts';
import type { FeedbackSounds, NewSounds } from './sounds.ts';
import * as store from './store.ts';

type NewFeedback = BodyOf<typeof feedbackApi.send>;
type AtOnce = NewFeedback & { holdSeconds?: undefined };
type Admin = Pick<Caller, 'id'>;
type Feedback = NonNullable<Awaited<ReturnType<typeof store.findFeedback>>>;

/** @param isNew false if an earlier call created it */
type Given = { feedback: Feedback; isNew: boolean };
type Sent = { held: HeldAnswer } | Given;

/** Creates the function that sends replies, at once or after an undo window. */
export function sendingOf(deps: {
  db: Db;
  media: Media;
  recordings: RecordingsService;
  sounds: FeedbackSounds;
  held: HeldFeedback;
  correct: ReturnType<typeof correctionOf>;
  news: NewsService;
}) {
  const { db, media, recordings, sounds, held, correct, news } = deps;

  function send(reply: AtOnce, audio: StagedFile | undefined, admin: Admin): Promise<Given>;
  function send(reply: NewFeedback, audio: StagedFile | undefined, admin: Admin): Promise<Sent>;
  function send(reply: NewFeedback, audio: StagedFile | undefined, admin: Admin): Promise<Sent> {
    return sounds.settle(admin, reply, async () => {
      const sentBefore = () => findEarlier(reply, audio, admin);
      const earlier = await sentBefore();
      if (earlier) return earlier;
      const answer = validate(reply, audio);
      const recording = await load(reply.recordingId);
      try {
        check(recording, answer);
        const { sent, replaced } = await write(answer, audio, admin);
        await media.removeFiles(replaced);
        if ('held' in sent) held.wakeWorker();
        return sent;
      } catch (error) {
        // A double click sends the same reply twice concurrently, or an earlier attempt arrives late.
        const other = await sentBefore();
        if (other) return other;
        // The recording was withdrawn, or deleted with its student, while the reply was being saved.
        await load(recording.id);
        throw error;
      }
    });
  }

  /**
   * Finds the result of an earlier call with this reply. If an attempt that it supersedes was released, corrects that
   * one to this reply, and keeps its spoken part if this reply has none. Releases a held reply that is sent again
   * without `holdSeconds`.
   * @returns null if none has arrived
   * @throws AppError 'conflict' if it was undone, or corrected since
   */
  async function findEarlier(
    reply: NewFeedback,
    audio: StagedFile | undefined,
    admin: Admin,
  ): Promise<Sent | null> {
    const { clientId, supersedes = [], recordingId, holdSeconds, ...content } = reply;
    if (!clientId) return null;
    const given = await store.findByClientId(db, admin.id, clientId);
    if (given) return { feedback: given, isNew: false };

    const waiting = await held.findByClientId(admin, clientId);
    if (waiting && holdSeconds !== undefined) return { held: waiting };
    if (waiting) {
      await held.release(waiting.recordingId);
      const released = await store.findByClientId(db, admin.id, clientId);
      if (released) return { feedback: released, isNew: true };
    }
    if (await isSpent(db, admin.id, clientId)) throw conflict(TAKEN_BACK);

    if (supersedes.length === 0) return null;
    const superseded = await store.findAttempt(db, admin.id, recordingId, supersedes);
    if (!superseded) return null;
    const { writtenFeedback = '', marks = [] } = content;
    const correction = { ...content, writtenFeedback, marks, basedOn: null };
    try {
      return { feedback: await correct(superseded.id, correction, audio, admin, clientId), isNew: false };
    } catch (error) {
      // A concurrent call with the same reply was first.
      const other = await store.findByClientId(db, admin.id, clientId);
      if (!other) throw error;
      return { feedback: other, isNew: false };
    }
  }

  /** @throws AppError 'not-found' */
  async function load(recordingId: number) {
    const recording = await recordings.find(recordingId);
    if (!recording) throw noSuchRecording();
    return recording;
  }

  const write = (answer: Answer, audio: StagedFile | undefined, admin: Admin) =>
    sounds.withSounds(answer.sounds, audio, { ...answer, admin }, async (added) => {
      const isHeld = answer.holdSeconds !== undefined && !(await held.isFull(admin));
      const save = isHeld ? hold : give;
      return media.saveInTransaction(added.media, (tx): Promise<Written> => save(tx, answer, added, admin));
    });

  /** Keeps the recording pending, so the student sees nothing yet. */
  async function hold(tx: Db, answer: Answer, added: NewSounds, admin: Admin) {
    if ((await recordings.lockPending(tx, answer.recordingId)) === null) throw answeredBefore();
    const { row, replaced } = await claim(tx, answer, added, admin);
    const waiting = { ...row, writtenFeedback: answer.typed };
    return { sent: { held: await held.add(tx, waiting, answer.holdSeconds!) }, replaced };
  }

  async function give(tx: Db, answer: Answer, added: NewSounds, admin: Admin) {
    const studentId = await recordings.markReviewed(tx, answer.recordingId);
    if (studentId === null) throw answeredBefore();
    const { row, replaced } = await claim(tx, answer, added, admin);
    const id = await store.insertFeedback(tx, { ...row, writtenFeedback: answer.writtenFeedback });
    await news.feedbackGiven(tx, studentId);
    // After the commit it may be deleted with its student at any moment.
    return { sent: { feedback: (await store.findFeedback(tx, id))!, isNew: true }, replaced };
  }

  /**
   * Replaces earlier attempts and the draft, and stores the sounds. Requires the recording's lock, which undo also
   * takes, so the key is either spent by now or its row still exists.
   * @returns the common columns, and the files to remove once the transaction has committed
   */
  async function claim(tx: Db, answer: Answer, added: NewSounds, admin: Admin) {
    const { recordingId, clientId, marks, supersedes } = answer;
    const superseded = await held.replace(tx, recordingId, admin, supersedes);
    if (await held.isHeld(tx, recordingId)) throw answeredBefore();
    if (await isSpent(tx, admin.id, clientId)) throw conflict(TAKEN_BACK);
    await store.deleteDraft(tx, recordingId, admin.id);
    const replaced = [...superseded, ...(await added.keep(tx))];
    const row = { recordingId, clientId, marks, adminId: admin.id, audioFeedbackUrl: added.replyName };
    return { row, replaced };
  }

  return send;
}

/** @param replaced files to remove once the transaction has committed */
type Written = { sent: Sent; replaced: string[] };

type Answer = ReturnType<typeof validate>;

/**
 * Normalizes a reply. If nothing is written, the written feedback is made of the marks.
 * @throws AppError 'bad-input' if there is no content
 */
function validate(reply: NewFeedback, audio: StagedFile | undefined) {
  const { recordingId, clientId = null, supersedes = [], holdSeconds, uploadId, peaks, ...content } = reply;
  const { writtenFeedback: typed = null, marks: allMarks = [], ...rest } = content;
  nothingLeft(rest);
  const marks = toSend(allMarks);
  const writtenFeedback = typed?.trim() || writtenFrom(marks) || null;
  if (!writtenFeedback && !audio && !uploadId) throw badInput(MISSING_FEEDBACK);
  const sounds = { uploadId, peaks };
  return { recordingId, clientId, supersedes, holdSeconds, typed, writtenFeedback, marks, sounds };
}

/** @throws AppError 'bad-input' (a mark outside of the recording), 'conflict' (answered) */
function check(
  { duration, status }: Pick<Recording, 'duration' | 'status'>,
  { marks }: { marks: readonly Mark[] },
) {
  mustLieWithin(duration, marks);
  if (status === 'reviewed') throw answeredBefore();
}

const answeredBefore = () => conflict(HAS_FEEDBACK);
