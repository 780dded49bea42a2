import type { Db } from '../../../db/database.ts';
import { ADMINS, announceChange } from '../../../platform/server/changes.ts';
import type { Clock } from '../../../platform/server/clock.ts';
import { queueMail } from '../../../platform/server/mail/queue.ts';
import type { Settings } from '../../../platform/server/settings.ts';
import { newsMail, type NewsKind } from './emails.ts';
import * as store from './store.ts';

export type NewsService = ReturnType<typeof newsService>;

type Reader = NonNullable<Awaited<ReturnType<typeof store.findReader>>>;

/** Nobody gets such mails more often. */
const HOUR_MS = 60 * 60 * 1000;

const INBOX = ['/api/admin/pending-recordings', '/api/recordings'] as const;
const FEEDBACK = ['/api/feedback', '/api/student/recordings', '/api/recordings'] as const;

/**
 * Tells those whom it concerns that something has happened: open pages at once, and by mail those who want it.
 * Every one of these belongs into the transaction in which it happens.
 */
export function newsService(deps: {
  db: Db;
  clock: Clock;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
}) {
  const { db, clock, settings } = deps;

  /** At most one within an hour: what happens meanwhile is told by the same mail. */
  async function tellByMail(tx: Db, reader: Reader, kind: NewsKind) {
    // Without a mail server the teacher would have to pass each of them on by hand.
    if (!settings.mailServer) return;
    await store.lockNews(tx, reader.id, kind);
    if (await store.isQueued(tx, reader.id, kind)) return;
    const last = await store.lastSettled(tx, reader.id, kind);
    const now = clock();
    const dueAt = last ? new Date(Math.max(now.getTime(), last.getTime() + HOUR_MS)) : now;
    await queueMail(tx, newsMail(kind, reader, settings), dueAt);
  }

  const tellInboxes = async (tx: Db) => {
    await announceChange(tx, { to: ADMINS, refreshes: INBOX });
    // Nothing waits any more: a mail that says so would be wrong.
    if (!(await store.anyPending(tx))) await store.dropQueued(tx, 'recordings-waiting');
  };

  return {
    async recordingSubmitted(tx: Db, studentId: string) {
      await announceChange(tx, { to: ADMINS, refreshes: INBOX });
      await announceChange(tx, { to: studentId, refreshes: ['/api/student/recordings', '/api/recordings'] });
      for (const admin of await store.listAdminReaders(tx)) await tellByMail(tx, admin, 'recordings-waiting');
    },

    async recordingWithdrawn(tx: Db, studentId: string) {
      await announceChange(tx, { to: studentId, refreshes: ['/api/student/recordings', '/api/recordings'] });
      await tellInboxes(tx);
    },

    async feedbackGiven(tx: Db, studentId: string) {
      await tellInboxes(tx);
      await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/feedback'] });
      await announceChange(tx, { to: studentId, refreshes: FEEDBACK });
      const student = await store.findReader(tx, studentId);
      if (student) await tellByMail(tx, student, 'feedback-given');
    },

    async feedbackCorrected(tx: Db, studentId: string) {
      await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/feedback'] });
      await announceChange(tx, { to: studentId, refreshes: FEEDBACK });
    },

    /** @param unread how much is left that the student has not seen */
    async feedbackSeen(tx: Db, studentId: string, unread: number) {
      await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/feedback'] });
      await announceChange(tx, { to: studentId, refreshes: ['/api/feedback'] });
      if (unread === 0) await store.dropQueued(tx, 'feedback-given', studentId);
    },

    /** A mail that could not be delivered, once more; nothing for somebody who no longer wants any. */
    async sendAgain(tx: Db, userId: string, kind: NewsKind) {
      const reader = await store.findReader(tx, userId);
      if (reader) await queueMail(tx, newsMail(kind, reader, settings));
    },

    async choose(userId: string, wantsNewsMail: boolean) {
      await store.setWantsNewsMail(db, userId, wantsNewsMail);
    },
  };
}
