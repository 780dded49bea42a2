import type { Db } from '#server/db/database.ts';
import { spendKeys } from '#server/db/spent-keys.ts';
import { notFound } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import type { Media } from '#server/media/keep.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NewsService } from '#features/messages/notifications/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import { HELD_MAX } from '#features/feedback/limits.ts';
import { writtenFrom } from '#features/feedback/marks.ts';
import { makeDraftOf } from '../drafts.ts';
import type { FeedbackSounds } from '../sounds.ts';
import { insertFeedback } from '../store.ts';
import * as store from './store.ts';

export type HeldFeedback = ReturnType<typeof heldFeedback>;
export type HeldAnswer = Awaited<ReturnType<HeldFeedback['takeBack']>>;

type Admin = Pick<Caller, 'id'>;

/** How many are released in one round; the next round goes on. */
const BATCH = 50;

/** Delay after a failure, such as one of the database. */
const RETRY_MS = 30_000;

/**
 * Feedback that can be taken back for some seconds, in a table of its own that no query for students reads. Whoever
 * changes anything of it locks its recording first.
 */
export function heldFeedback(deps: {
  db: Db;
  media: Media;
  recordings: RecordingsService;
  news: NewsService;
  sounds: FeedbackSounds;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}) {
  const { db, media, recordings, news, sounds, clock, log } = deps;
  const listeners = new Set<() => void>();

  const answerOf = ({ dueAt, ...held }: store.HeldRow) => ({
    ...held,
    secondsLeft: Math.max(0, (dueAt.getTime() - clock().getTime()) / 1000),
  });

  /**
   * Makes it feedback: its row, the recording's status and the news, in one transaction.
   * @returns whether it was still there
   */
  async function release(recordingId: number): Promise<boolean> {
    try {
      const files = await db.transaction(async (tx) => {
        const studentId = await recordings.markReviewed(tx, recordingId);
        const held = await store.takeHeld(tx, { recordingId });
        if (!held) throw new NotHeld();
        if (studentId === null) {
          // Answered by a release that does not know this table. Nothing that was written is lost.
          await makeDraftOf(tx, wordsOf(held));
          return forgetSounds(tx, held);
        }
        const { dueAt: _, ...row } = held;
        const writtenFeedback = held.writtenFeedback?.trim() || writtenFrom(held.marks) || null;
        await insertFeedback(tx, { ...row, writtenFeedback });
        await news.feedbackGiven(tx, studentId);
        return [];
      });
      await media.removeFiles(files);
      return true;
    } catch (error) {
      if (error instanceof NotHeld) return false;
      throw error;
    }
  }

  /** @returns the files to remove once the transaction has committed */
  const forgetSounds = async (tx: Db, { recordingId, audioFeedbackUrl }: store.Held) => [
    ...(await media.forget(tx, [audioFeedbackUrl])),
    ...(await sounds.forgetVoices(tx, recordingId)),
  ];

  return {
    release,

    /** Newest first. */
    list: async (admin: Admin) => (await store.listHeld(db, { adminId: admin.id })).map(answerOf),

    async findByClientId(admin: Admin, clientId: string) {
      const [held] = await store.listHeld(db, { adminId: admin.id, clientIds: [clientId] });
      return held ? answerOf(held) : null;
    },

    /** Whether this admin holds as much as is allowed. */
    isFull: async (admin: Admin) => (await store.countHeld(db, { adminId: admin.id })) >= HELD_MAX,

    isHeld: async (tx: Db, recordingId: number) => (await store.countHeld(tx, { recordingId })) > 0,

    /** To be called under the lock of the recording. @throws if its feedback is held already */
    async add(tx: Db, held: Omit<store.Held, 'dueAt'>, seconds: number) {
      await store.insertHeld(tx, { ...held, dueAt: new Date(clock().getTime() + seconds * 1000) });
      await news.heldFeedbackChanged(tx);
      const [added] = await store.listHeld(tx, { recordingId: held.recordingId });
      return answerOf(added!);
    },

    /**
     * Drops earlier tries that a reply supersedes, also those that have yet to arrive. Their voices stay, because the
     * reply may name them too. To be called under the lock of the recording.
     * @returns the files to remove once the transaction has committed
     */
    async replace(tx: Db, recordingId: number, admin: Admin, clientIds: string[]) {
      if (clientIds.length === 0) return [];
      const held = await store.takeHeld(tx, { recordingId, adminId: admin.id, clientIds });
      await spendKeys(tx, admin.id, clientIds);
      return media.forget(tx, [held?.audioFeedbackUrl ?? null]);
    },

    /**
     * Takes an admin's own feedback back: its words are a draft again, its sounds are deleted, and its key is spent.
     * @param keepsDraft false if the caller has the words, as for one text to several
     * @throws AppError 'not-found': it has gone out, or there was none
     */
    async takeBack(recordingId: number, admin: Admin, { keepsDraft = true } = {}) {
      const { before, files } = await db.transaction(async (tx) => {
        await recordings.lockPending(tx, recordingId);
        const [before] = await store.listHeld(tx, { recordingId });
        const held = await store.takeHeld(tx, { recordingId, adminId: admin.id });
        if (!held || !before) throw notFound('This feedback has gone out already.');
        await spendKeys(tx, admin.id, [held.clientId]);
        // The device may fail to receive the answer: nothing that was written is lost.
        const { writtenFeedback, marks } = held;
        if (keepsDraft && (writtenFeedback?.trim() || marks.length > 0)) await makeDraftOf(tx, wordsOf(held));
        await news.heldFeedbackChanged(tx);
        return { before, files: await forgetSounds(tx, held) };
      });
      await media.removeFiles(files);
      return answerOf(before);
    },

    /** Releases what is due. What fails is retried later, and holds up no other. */
    async releaseDue() {
      for (const recordingId of await store.listDue(db, clock(), BATCH)) {
        try {
          await release(recordingId);
        } catch (error) {
          log.warn({ error, recording: recordingId }, 'feedback could not be sent out; it will be retried');
          await store.postpone(db, recordingId, new Date(clock().getTime() + RETRY_MS));
        }
      }
    },

    /** When something is due next; null while nothing is held. */
    nextDue: () => store.nextDue(db),

    /** Calls `listener` once something is held here. */
    onHeld(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** To be called once what was added has committed. */
    wakeWorker: () => listeners.forEach((listener) => listener()),
  };
}

const wordsOf = ({ recordingId, adminId, writtenFeedback, marks }: store.Held) => ({
  ...{ recordingId, adminId, marks },
  text: writtenFeedback ?? '',
});

/** Thrown within the transaction, so that the recording stays pending. */
class NotHeld extends Error {}
