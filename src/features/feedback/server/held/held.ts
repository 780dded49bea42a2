import type { Db } from '#server/db/database.ts';
import { insertClientIdTombstones } from '#server/db/client-id-tombstones.ts';
import { createNotFoundError } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NotificationsService } from '#features/messages/notifications/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import { MAX_HELD_REPLIES } from '#features/feedback/limits.ts';
import { composeWrittenFeedback } from '#features/feedback/marks.ts';
import { restoreDraft } from '../drafts.ts';
import type { FeedbackSoundsService } from '../sounds.ts';
import { insertFeedback } from '../store.ts';
import * as store from './store.ts';

export type HeldFeedbackService = ReturnType<typeof createHeldFeedbackService>;
export type UndoneFeedback = Awaited<ReturnType<HeldFeedbackService['undo']>>;

type Admin = Pick<Caller, 'id'>;

/** Maximum number of replies released per round. The next round releases the rest. */
const MAX_RELEASES_PER_ROUND = 50;

/** Delay before a failed release is retried. */
const RETRY_DELAY_MS = 30_000;

/**
 * Creates the service for feedback in its undo window. Such feedback has its own table, which no query for
 * students reads. Feedback is held, released and undone under the lock of its recording.
 */
export function createHeldFeedbackService(deps: {
  db: Db;
  media: MediaRepository;
  recordings: RecordingsService;
  news: NotificationsService;
  sounds: FeedbackSoundsService;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}) {
  const { db, media, recordings, news, sounds, clock, log } = deps;
  const listeners = new Set<() => void>();

  const toHeldDetails = ({ dueAt, ...held }: store.ListedHeldFeedback) => ({
    ...held,
    secondsLeft: Math.max(0, (dueAt.getTime() - clock().getTime()) / 1000),
  });

  /**
   * Releases held feedback: inserts it, marks the recording reviewed and notifies the student, in one
   * transaction. If the recording already has feedback, turns the held feedback into a draft instead.
   * @returns whether the feedback was still held
   */
  async function release(recordingId: number): Promise<boolean> {
    try {
      const files = await db.transaction(async (tx) => {
        const studentId = await recordings.markReviewed(tx, recordingId);
        const held = await store.deleteHeldFeedback(tx, { recordingId });
        if (!held) throw new NotHeldError();
        if (studentId === null) {
          // An older version of the app, which does not use this table, has answered the recording. The text
          // becomes a draft.
          await restoreDraft(tx, toDraftContent(held));
          return forgetSounds(tx, held);
        }
        const { dueAt: _, ...row } = held;
        const writtenFeedback = held.writtenFeedback?.trim() || composeWrittenFeedback(held.marks) || null;
        await insertFeedback(tx, { ...row, writtenFeedback });
        await news.announceFeedbackGiven(tx, studentId);
        return [];
      });
      await media.removeFiles(files);
      return true;
    } catch (error) {
      if (error instanceof NotHeldError) return false;
      throw error;
    }
  }

  /** @returns the files to remove once the transaction has committed */
  const forgetSounds = async (tx: Db, { recordingId, audioFeedbackUrl }: store.HeldFeedbackRow) => [
    ...(await media.deleteRows(tx, [audioFeedbackUrl])),
    ...(await sounds.deleteVoices(tx, recordingId)),
  ];

  return {
    release,

    /** Lists an admin's held feedback, latest due time first. */
    list: async (admin: Admin) =>
      (await store.listHeldFeedback(db, { adminId: admin.id })).map(toHeldDetails),

    async findByClientId(admin: Admin, clientId: string) {
      const [held] = await store.listHeldFeedback(db, { adminId: admin.id, clientIds: [clientId] });
      return held ? toHeldDetails(held) : null;
    },

    /** Returns whether the admin already holds the maximum number of replies. */
    isFull: async (admin: Admin) =>
      (await store.countHeldFeedback(db, { adminId: admin.id })) >= MAX_HELD_REPLIES,

    isHeld: async (tx: Db, recordingId: number) => (await store.countHeldFeedback(tx, { recordingId })) > 0,

    /**
     * Holds feedback for `seconds`. Returns it with the remaining seconds. Requires the lock of the
     * recording.
     * @throws if feedback on the recording is already held
     */
    async add(tx: Db, held: Omit<store.HeldFeedbackRow, 'dueAt'>, seconds: number) {
      await store.insertHeldFeedback(tx, { ...held, dueAt: new Date(clock().getTime() + seconds * 1000) });
      await news.announceHeldFeedbackChanged(tx);
      const [added] = await store.listHeldFeedback(tx, { recordingId: held.recordingId });
      return toHeldDetails(added!);
    },

    /**
     * Deletes the held reply that a new reply supersedes, and invalidates the idempotency keys of all
     * superseded replies, so that they are rejected if they arrive later. Keeps their voice comments, because
     * the new reply may contain them too. Requires the lock of the recording.
     * @returns the files to remove once the transaction has committed
     */
    async dropSuperseded(tx: Db, recordingId: number, admin: Admin, clientIds: string[]) {
      if (clientIds.length === 0) return [];
      const held = await store.deleteHeldFeedback(tx, { recordingId, adminId: admin.id, clientIds });
      await insertClientIdTombstones(tx, admin.id, clientIds);
      return media.deleteRows(tx, [held?.audioFeedbackUrl ?? null]);
    },

    /**
     * Deletes feedback that the admin holds. Turns its text and marks into a draft, deletes its audio and
     * invalidates its idempotency key.
     * @param keepsDraft false if the caller still has the words, as in a bulk reply
     * @returns the deleted feedback
     * @throws AppError 'not-found' if this admin holds no feedback on the recording, for example because it
     * was already released
     */
    async undo(recordingId: number, admin: Admin, { keepsDraft = true } = {}) {
      const { before, files } = await db.transaction(async (tx) => {
        await recordings.lockPending(tx, recordingId);
        const [before] = await store.listHeldFeedback(tx, { recordingId });
        const held = await store.deleteHeldFeedback(tx, { recordingId, adminId: admin.id });
        if (!held || !before) throw createNotFoundError('This feedback has already been sent.');
        await insertClientIdTombstones(tx, admin.id, [held.clientId]);
        // The device may not receive the response, so the words are saved as a draft.
        const { writtenFeedback, marks } = held;
        if (keepsDraft && (writtenFeedback?.trim() || marks.length > 0))
          await restoreDraft(tx, toDraftContent(held));
        await news.announceHeldFeedbackChanged(tx);
        return { before, files: await forgetSounds(tx, held) };
      });
      await media.removeFiles(files);
      return toHeldDetails(before);
    },

    /**
     * Releases the feedback that is due, at most MAX_RELEASES_PER_ROUND. A failed release is retried later
     * and does not block other releases.
     */
    async releaseDue() {
      for (const recordingId of await store.listRecordingIdsWithDueFeedback(
        db,
        clock(),
        MAX_RELEASES_PER_ROUND,
      )) {
        try {
          await release(recordingId);
        } catch (error) {
          log.warn({ error, recording: recordingId }, 'feedback could not be sent out; it will be retried');
          await store.postponeRelease(db, recordingId, new Date(clock().getTime() + RETRY_DELAY_MS));
        }
      }
    },

    /** Returns when the next feedback is due; null if none is held. */
    findNextDueTime: () => store.findNextDueTime(db),

    /**
     * Calls `listener` when this process has stored new held feedback. Returns a function that removes the
     * listener.
     */
    onHeld(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Calls the listeners. Must be called after the transaction of `add` has committed. */
    wakeWorker: () => listeners.forEach((listener) => listener()),
  };
}

const toDraftContent = ({ recordingId, adminId, writtenFeedback, marks }: store.HeldFeedbackRow) => ({
  ...{ recordingId, adminId, marks },
  text: writtenFeedback ?? '',
});

/** Thrown to roll back the transaction, so that the recording stays pending. */
class NotHeldError extends Error {}
