import type { Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { Log } from '#server/log.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import type { Mail } from '#server/mail/queue.ts';
import { countBulkOutcomes, runBulkItem } from '#server/bulk-item.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { mailApi } from '../contract.ts';
import { TEACHER_MAIL_HIDDEN_MESSAGE, MAX_RESENT_EMAILS_PER_CALL, EMAILS_PAGE_SIZE } from '../limits.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Time for which delivered emails are kept, in case somebody asks whether an email was sent. */
const DELIVERED_RETENTION_MS = 30 * DAY_MS;

/**
 * Composes and queues a replacement for an email. The original's content was erased, and its password was never
 * stored, so the feature that wrote the original composes it again.
 * @param writtenAt when the original email was written
 */
export type MailResender = (tx: Db, userId: string, caller: Caller, writtenAt: Date) => Promise<void>;
export type MailResenders = Record<Mail['kind'], MailResender>;

export type MailService = ReturnType<typeof createMailService>;

type Deps = {
  db: Db;
  outbox: Outbox;
  hasServer: boolean;
  composers: MailResenders;
  audit: AuditService;
  log: Log;
};

/**
 * Creates the service for emails that need the teacher's attention: those that are undeliverable, delayed or
 * in the outbox.
 */
export function createMailService({ db, outbox, hasServer, composers, audit, log }: Deps) {
  // Also lists queued emails if there is no mail server. They reach the outbox within moments, and the teacher
  // should not have to look again for them.
  const withQueued = !hasServer;

  /**
   * Replaces an email that is undeliverable or in the outbox with a new email.
   * @throws AppError 'not-found'; 'conflict' while the email is being sent
   */
  async function sendAgain(id: number, caller: Caller) {
    const file = await db.transaction(async (tx) => {
      const mail = await store.lockMail(tx, id);
      if (mail?.status === 'queued') throw createConflictError('This email is already being sent.');
      // Delivered emails are not listed, except those in the outbox.
      if (!mail || (mail.status === 'delivered' && mail.outboxFile === null)) throw mailNotFound();
      await composers[mail.kind](tx, mail.userId, caller, mail.createdAt);
      await store.deleteMail(tx, id);
      return mail.outboxFile;
    });
    if (file !== null) await outbox.remove(file);
  }

  const readText = (mail: { outboxFile: string | null; text: string | null }) =>
    mail.outboxFile === null ? mail.text : outbox.read(mail.outboxFile);

  /** @returns false if the email was not in the outbox */
  async function removeFromOutbox(id: number, caller: Caller, batch: string | null = null): Promise<boolean> {
    const file = await db.transaction(async (tx) => {
      const mail = await store.removeFromOutbox(tx, id);
      if (mail && !mail.isHidden)
        await audit.record(tx, caller, 'mail-passed-on', formatDisplayName(mail.user), mail.subject, batch);
      return mail?.outboxFile ?? null;
    });
    // The row is changed before the file is removed. If the process crashes in between, maintenance deletes the
    // leftover file. In the other order, a row without its file would remain.
    if (file !== null) await outbox.remove(file);
    return file !== null;
  }

  return {
    /** Returns the number of undeliverable emails, counted up to `max`, for the metrics. */
    countUndeliverable: (max: number) => store.countUndeliverableMails(db, max),

    /** Returns when the oldest email that is still to be sent was queued; null if there is none. */
    getOldestQueuedTime: () => store.findOldestQueuedMailTime(db),

    async getOverview() {
      const counts = await store.countMailsNeedingAttention(db, withQueued);
      const newestDelayed = counts.delayed > 0 ? await store.findNewestDelayedMail(db) : null;
      return { hasServer, ...counts, newestDelayed };
    },

    listDelayed: (before?: number) => store.listDelayedMails(db, before),

    listUndeliverable: (before?: number) => store.listUndeliverableMails(db, before),

    listOutbox: (before?: number) => store.listOutboxMails(db, withQueued, before),

    /**
     * Returns the text of an email in the outbox. The audit log records who opened it, because it may contain a
     * password.
     * @returns null if its file can't be read on this server
     * @throws AppError 'not-found'; 'forbidden' for an email to a teacher, because another teacher could use it
     * to get into the account
     */
    async openText(id: number, caller: Caller) {
      const mail = await store.findMailInOutbox(db, withQueued, id);
      if (!mail) throw mailNotFound();
      if (mail.isHidden) throw new AppError('forbidden', TEACHER_MAIL_HIDDEN_MESSAGE);
      const text = await readText(mail);
      if (text !== null)
        await audit.record(db, caller, 'mail-opened', formatDisplayName(mail.user), mail.subject);
      return text;
    },

    /**
     * Returns a page of emails in the outbox with their texts, except emails to teachers and those whose text
     * can't be read on this server. The audit log records each email.
     * @returns `before` is the cursor for the next call, or null after the last page
     */
    async openMany({ batch, before, ...rest }: BodyOf<typeof mailApi.openMany>, caller: Caller) {
      assertExhaustive(rest);
      const page = await store.listReadableOutboxMails(db, withQueued, before);
      const opened = [];
      for (const { user, outboxFile, text: queued, ...mail } of page) {
        const text = await readText({ outboxFile, text: queued });
        if (text === null) continue;
        await audit.record(db, caller, 'mail-opened', formatDisplayName(user), mail.subject, batch);
        opened.push({ ...mail, name: formatDisplayName(user), username: user.username, text });
      }
      return { mails: opened, before: page.length < EMAILS_PAGE_SIZE ? null : page.at(-1)!.id };
    },

    /**
     * Removes emails from the outbox after they have been passed on, and returns how many were removed. Each
     * email has its own transaction, so a repeated call resumes where the previous call stopped.
     */
    async passOn({ batch, ids, ...rest }: BodyOf<typeof mailApi.passOn>, caller: Caller) {
      assertExhaustive(rest);
      let passedOn = 0;
      for (const id of ids) if (await removeFromOutbox(id, caller, batch)) passedOn += 1;
      return { passedOn };
    },

    sendAgain,

    /**
     * Resends up to {@link MAX_RESENT_EMAILS_PER_CALL} emails, newest first. An email that can't be sent does
     * not stop the others.
     * @returns the counts; `before` is the cursor for the next call, or null after the last email
     * @throws AppError 'conflict' without a mail server, because new emails would only replace the old ones
     */
    async sendMany({ which, before, ...rest }: BodyOf<typeof mailApi.sendMany>, caller: Caller) {
      assertExhaustive(rest);
      if (!hasServer) throw createConflictError('Email isn’t set up on this server.');
      const ids = await store.listResendableMailIds(db, which, before, MAX_RESENT_EMAILS_PER_CALL);
      const outcomes = [];
      for (const id of ids) outcomes.push(await runBulkItem(() => sendAgain(id, caller), log));
      const { successCount: sent, failureCount: failed } = countBulkOutcomes(outcomes);
      return { sent, failed, before: ids.length < MAX_RESENT_EMAILS_PER_CALL ? null : ids.at(-1)! };
    },

    /**
     * Removes an email from the list, because it was passed on by hand or given up.
     * @throws AppError 'not-found', also while the email is being sent
     */
    async removeMail(id: number, caller: Caller) {
      if (await removeFromOutbox(id, caller)) return;
      if (!(await store.deleteUndeliverableMail(db, id))) throw mailNotFound();
    },

    /** Deletes delivered emails after a month, and outbox files without an email. */
    async cleanUp(now: Date) {
      await store.deleteMailsDeliveredBefore(db, new Date(now.getTime() - DELIVERED_RETENTION_MS));
      // Keeps files of the last hour, because a file is written before its row refers to it.
      const referenced = await store.listOutboxFiles(db);
      await outbox.sweep(new Date(now.getTime() - HOUR_MS), (name) => referenced.has(name));
    },
  };
}

const mailNotFound = () => createNotFoundError('This email no longer exists.');
