import type { Db } from '#server/db/database.ts';
import { AppError, createNotFoundError } from '#shared/errors.ts';
import type { AttemptCounter } from '#server/limits/attempts.ts';
import { isAttemptLimitReached } from '#server/limits/attempt-counts.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';
import { UNSUBSCRIBE_LINK_INVALID_MESSAGE } from '../limits.ts';
import { composeNotificationEmail, type NotificationKind } from './emails.ts';
import * as store from './store.ts';

export type NotificationsService = ReturnType<typeof createNotificationsService>;

type Reader = NonNullable<Awaited<ReturnType<typeof store.findNotificationRecipient>>>;

/** Minimum interval between two news emails of the same kind to one user. */
const HOUR_MS = 60 * 60 * 1000;

/** Maximum number of uses per hour of one link, and of all links from one IP address. */
const MAX_PER_LINK = 30;
const MAX_PER_ADDRESS = 300;

const INBOX_PATHS = ['/api/admin/pending-recordings', '/api/recordings'] as const;
const FEEDBACK_PATHS = ['/api/feedback', '/api/student/recordings', '/api/recordings'] as const;

/**
 * Creates the service that notifies users of events: their open pages immediately, and by email if they want
 * it. Functions with a `tx` parameter must be called in the transaction of the event.
 */
export function createNotificationsService(deps: {
  db: Db;
  attempts: AttemptCounter;
  clock: Clock;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
}) {
  const { db, attempts, clock, settings } = deps;
  // Sends no news emails without a mail server, because the teacher would have to pass on each one by hand.
  const sendsMail = settings.mailServer !== null;

  /**
   * Queues a news email, unless the user already has a queued email of this kind. The email is sent at least
   * an hour after the last email of this kind to the user. The transaction must hold the lock of
   * `lockNotificationQueue`.
   * @param after which earlier emails count, see {@link store.findLastNotificationEmailTime}
   */
  async function queueNewsMail(
    tx: Db,
    reader: Reader,
    kind: NotificationKind,
    after: 'settled' | 'delivered',
  ) {
    if (await store.isNotificationQueued(tx, reader.id, kind)) return;
    const last = await store.findLastNotificationEmailTime(tx, reader.id, kind, after);
    const notBefore = last && new Date(last.getTime() + HOUR_MS);
    const mail = composeNotificationEmail(kind, reader, settings);
    await (notBefore && notBefore > clock() ? queueMail(tx, mail, notBefore) : queueMail(tx, mail));
  }

  /** Saves whether the user wants news emails. Turning them off also cancels queued emails. */
  async function choose(userId: string, wantsNewsMail: boolean) {
    await db.transaction(async (tx) => {
      // Locks the user's row before calling `lockNotificationQueue`, as deleting a user does, because another
      // order could deadlock.
      await store.setWantsNewsMail(tx, userId, wantsNewsMail);
      if (wantsNewsMail) return;
      // A concurrent event either reads the new choice, or has already queued an email that is cancelled here.
      for (const kind of ['recordings-waiting', 'feedback-given'] as const) {
        await store.lockNotificationQueue(tx, kind, kind === 'feedback-given' ? userId : '');
        await store.cancelQueuedNotifications(tx, kind, clock(), userId);
      }
    });
  }

  const notifyAdmins = async (tx: Db) => {
    await announceChange(tx, { to: ALL_ADMINS, refreshes: INBOX_PATHS });
    await store.lockNotificationQueue(tx, 'recordings-waiting');
    // Cancels queued emails if no recording is pending any longer, because they would be wrong.
    if (!(await store.hasPendingRecording(tx)))
      await store.cancelQueuedNotifications(tx, 'recordings-waiting', clock());
  };

  return {
    async announceRecordingSubmitted(tx: Db, studentId: string) {
      await announceChange(tx, { to: ALL_ADMINS, refreshes: INBOX_PATHS });
      await announceChange(tx, { to: studentId, refreshes: ['/api/student/recordings', '/api/recordings'] });
      if (!sendsMail) return;
      await store.lockNotificationQueue(tx, 'recordings-waiting');
      for (const admin of await store.listAdminNotificationRecipients(tx))
        await queueNewsMail(tx, admin, 'recordings-waiting', 'settled');
    },

    async announceRecordingWithdrawn(tx: Db, studentId: string) {
      await announceChange(tx, { to: studentId, refreshes: ['/api/student/recordings', '/api/recordings'] });
      await notifyAdmins(tx);
    },

    /** Must be called after the student and all their data have been deleted. */
    async announceStudentDeleted(tx: Db) {
      await notifyAdmins(tx);
      await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/feedback'] });
    },

    async announceFeedbackGiven(tx: Db, studentId: string) {
      await notifyAdmins(tx);
      await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/feedback'] });
      await announceChange(tx, { to: studentId, refreshes: FEEDBACK_PATHS });
      if (!sendsMail) return;
      await store.lockNotificationQueue(tx, 'feedback-given', studentId);
      const student = await store.findNotificationRecipient(tx, studentId);
      if (student) await queueNewsMail(tx, student, 'feedback-given', 'settled');
    },

    /** Notifies only open inboxes. The student is notified when the feedback is released. */
    announceHeldFeedbackChanged: (tx: Db) =>
      announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/feedback'] }),

    announceSnoozeChanged: (tx: Db, adminId: string) =>
      announceChange(tx, { to: adminId, refreshes: ['/api/admin/feedback'] }),

    async announceFeedbackCorrected(tx: Db, studentId: string) {
      await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/feedback'] });
      await announceChange(tx, { to: studentId, refreshes: FEEDBACK_PATHS });
    },

    /** @param countUnread counts the feedback that the student has not seen yet */
    async announceFeedbackSeen(tx: Db, studentId: string, countUnread: () => Promise<number>) {
      await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/feedback'] });
      await announceChange(tx, { to: studentId, refreshes: ['/api/feedback'] });
      // Counted while holding the lock, so that concurrent feedback is either counted here or queues a new
      // email afterwards.
      await store.lockNotificationQueue(tx, 'feedback-given', studentId);
      if ((await countUnread()) === 0)
        await store.cancelQueuedNotifications(tx, 'feedback-given', clock(), studentId);
    },

    /**
     * Queues a replacement for an undeliverable email. Does nothing if the user no longer wants news emails, or
     * another email of this kind is queued.
     */
    async sendAgain(tx: Db, userId: string, kind: NotificationKind) {
      await store.lockNotificationQueue(tx, kind, kind === 'feedback-given' ? userId : '');
      const reader = await store.findNotificationRecipient(tx, userId);
      if (reader) await queueNewsMail(tx, reader, kind, 'delivered');
    },

    choose,

    /**
     * Saves the choice that a user makes with the link in a news email.
     * @param address the client's IP address
     * @throws AppError 'not-found' for an unknown token; 'too-many'
     */
    async chooseByLink(token: string, wantsNewsMail: boolean, address: string) {
      const now = clock();
      const since = new Date(now.getTime() - HOUR_MS);
      await attempts.record({ kind: 'news-link', subject: token, address }, { since, now }, (before) => {
        if (before.subject.count < MAX_PER_LINK && !isAttemptLimitReached(MAX_PER_ADDRESS, before.networks))
          return;
        throw new AppError('too-many', 'Too many requests. Please try again in an hour.', {
          retryAfter: HOUR_MS / 1000,
        });
      });
      const userId = await store.findUserIdByNewsToken(db, token);
      if (!userId) throw createNotFoundError(UNSUBSCRIBE_LINK_INVALID_MESSAGE);
      await choose(userId, wantsNewsMail);
    },
  };
}
