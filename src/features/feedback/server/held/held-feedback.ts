import type { Db } from '#server/db/database.ts';
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
import * as feedbackStore from '../store.ts';
import type { voicesIn } from '../voices/voices.ts';
import * as store from './store.ts';

export { holdFileOf as lockHeldFile } from './store.ts';

export type HeldAnswer = Awaited<ReturnType<ReturnType<typeof heldFeedbackIn>['takeBack']>>;

type Admin = Pick<Caller, 'id'>;

/** How much one round takes up; more is taken up by the next. */
const DUE_AT_ONCE = 50;

/** After a failure, as of the database. */
const AGAIN_MS = 30_000;

/**
 * Feedback that can be taken back for some seconds, in a table of its own that nothing of the students reads. Whoever
 * changes anything of it locks its recording first.
 */
export function heldFeedbackIn(deps: {
  db: Db;
  media: Media;
  recordings: RecordingsService;
  news: NewsService;
  voices: ReturnType<typeof voicesIn>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}) {
  const { db, media, recordings, news, voices, clock, log } = deps;
  const listeners = new Set<() => void>();

  const asAnswered = ({ dueAt, ...held }: NonNullable<Awaited<ReturnType<typeof store.findHeld>>>) => ({
    ...held,
    secondsLeft: Math.max(0, (dueAt.getTime() - clock().getTime()) / 1000),
  });

  /**
   * What was held becomes feedback: its row, the recording's status and the news in one transaction.
   * @returns whether it was still there
   */
  async function letOut(recordingId: number): Promise<boolean> {
    try {
      const files = await db.transaction(async (tx) => {
        const studentId = await recordings.markReviewed(tx, recordingId);
        const held = await store.takeHeld(tx, recordingId);
        if (!held) throw new NotHeld();
        const { adminId, clientId, writtenFeedback, marks, audioFeedbackUrl } = held;
        if (studentId === null) {
          // Answered by a release that does not know of this table. Nothing that was written is lost.
          await makeDraftOf(tx, wordsOf(held));
          return filesOf(tx, held);
        }
        await feedbackStore.insertFeedback(tx, {
          ...{ recordingId, adminId, clientId, marks, audioFeedbackUrl },
          writtenFeedback: writtenFeedback?.trim() || writtenFrom(marks) || null,
        });
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

  /** Forgets the sounds of what is taken away. @returns the files to remove once the transaction has committed */
  const filesOf = async (tx: Db, { recordingId, audioFeedbackUrl }: store.Held) => [
    ...(await media.forget(tx, [audioFeedbackUrl])),
    ...(await voices.forgetAll(tx, recordingId)),
  ];

  return {
    letOut,

    /** Newest first. */
    list: async (admin: Admin) => (await store.listHeld(db, admin.id)).map(asAnswered),

    async findByClientId(admin: Admin, clientId: string) {
      const held = await store.findHeldByClientId(db, admin.id, clientId);
      return held && asAnswered(held);
    },

    /** Whether this admin holds as much as is allowed. */
    isFull: async (admin: Admin) => (await store.countHeld(db, admin.id)) >= HELD_MAX,

    isHeld: store.isHeld,

    /** To be called under the lock of the recording. @throws where it is held already */
    async add(tx: Db, held: Omit<store.Held, 'dueAt'>, seconds: number) {
      await store.insertHeld(tx, { ...held, dueAt: new Date(clock().getTime() + seconds * 1000) });
      await news.heldFeedbackChanged(tx);
      return asAnswered((await store.findHeld(tx, held.recordingId))!);
    },

    /**
     * Earlier tries that a reply supersedes. Their voices are left, as it may name them too. To be called under the
     * lock of the recording.
     * @returns the files to remove once the transaction has committed
     */
    async replace(tx: Db, recordingId: number, admin: Admin, clientIds: string[]) {
      if (clientIds.length === 0) return [];
      const held = await store.takeHeld(tx, recordingId, { adminId: admin.id, clientIds });
      return media.forget(tx, [held?.audioFeedbackUrl ?? null]);
    },

    /**
     * Takes an admin's own feedback back. Its words are a draft again; of its sound nothing is left.
     * @param keepsDraft false where the caller has the words, as for one text to several
     * @throws AppError 'not-found': it has gone out, or there was none
     */
    async takeBack(recordingId: number, admin: Admin, { keepsDraft = true } = {}) {
      const { before, files } = await db.transaction(async (tx) => {
        await recordings.lockPending(tx, recordingId);
        const before = await store.findHeld(tx, recordingId);
        const held = await store.takeHeld(tx, recordingId, { adminId: admin.id });
        if (!held || !before) throw notFound('This feedback has gone out already.');
        // Whatever becomes of the answer on its way, nothing that was written is lost.
        const { writtenFeedback, marks } = held;
        if (keepsDraft && (writtenFeedback?.trim() || marks.length > 0)) await makeDraftOf(tx, wordsOf(held));
        await news.heldFeedbackChanged(tx);
        return { before, files: await filesOf(tx, held) };
      });
      await media.removeFiles(files);
      return asAnswered(before);
    },

    holdFilesOf: store.holdFilesOf,

    /** Lets out what is due; one that fails is tried again later, and holds up no other. */
    async letOutDue() {
      for (const recordingId of await store.listDue(db, clock(), DUE_AT_ONCE)) {
        try {
          await letOut(recordingId);
        } catch (error) {
          log.warn({ error, recording: recordingId }, 'feedback could not be sent out; it will be retried');
          await store.postpone(db, recordingId, new Date(clock().getTime() + AGAIN_MS));
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
    tell: () => listeners.forEach((listener) => listener()),
  };
}

const wordsOf = ({ recordingId, adminId, writtenFeedback, marks }: store.Held) => ({
  ...{ recordingId, adminId, marks },
  text: writtenFeedback ?? '',
});

/** Thrown within the transaction, so that the recording stays pending. */
class NotHeld extends Error {}
