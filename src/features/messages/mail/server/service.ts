import type { Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, conflict, notFound } from '#shared/errors.ts';
import type { Log } from '#server/log.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import type { Mail } from '#server/mail/queue.ts';
import { countOutcomes, runForOutcome } from '#server/outcome.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { mailApi } from '../contract.ts';
import { TEACHER_MAIL_HIDDEN, MAX_RESENT_MAILS, MAILS_PAGE_SIZE } from '../limits.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** How long delivered mails are kept, in case somebody asks whether a mail was sent. */
const DELIVERED_RETENTION_MS = 30 * DAY_MS;

/**
 * Composes a new mail of its kind for a user, and queues it. The content of the first mail was erased, and its
 * password was never stored, so each kind is composed by the feature that wrote the first.
 * @param writtenAt when the first mail was written
 */
export type Composer = (tx: Db, userId: string, caller: Caller, writtenAt: Date) => Promise<void>;
export type Composers = Record<Mail['kind'], Composer>;

export type MailService = ReturnType<typeof createMailService>;

type Deps = {
  db: Db;
  outbox: Outbox;
  hasServer: boolean;
  composers: Composers;
  audit: AuditService;
  log: Log;
};

/** Manages mail that needs the teacher: what could not be delivered, and what is in the outbox. */
export function createMailService({ db, outbox, hasServer, composers, audit, log }: Deps) {
  // Without a server, queued mail reaches the outbox in a moment. Counting it already saves the teacher a second
  // look.
  const withQueued = !hasServer;

  /**
   * Replaces an undelivered mail with a new one.
   * @throws AppError 'not-found'; 'conflict' while it is being sent
   */
  async function sendAgain(id: number, caller: Caller) {
    const file = await db.transaction(async (tx) => {
      const mail = await store.lockMail(tx, id);
      if (mail?.status === 'queued') throw conflict('This email is already being sent.');
      // A delivered mail needs no attention.
      if (!mail || (mail.status === 'delivered' && mail.outboxFile === null)) throw mailNotFound();
      await composers[mail.kind](tx, mail.userId, caller, mail.createdAt);
      await store.deleteMail(tx, id);
      return mail.outboxFile;
    });
    if (file !== null) await outbox.remove(file);
  }

  const readText = (mail: { outboxFile: string | null; text: string | null }) =>
    mail.outboxFile === null ? mail.text : outbox.read(mail.outboxFile);

  /** @returns false if the mail was not in the outbox */
  async function removeFromOutbox(id: number, caller: Caller, batch: string | null = null): Promise<boolean> {
    const file = await db.transaction(async (tx) => {
      const mail = await store.removeFromOutbox(tx, id);
      if (mail && !mail.isHidden)
        await audit.record(tx, caller, 'mail-passed-on', formatDisplayName(mail.user), mail.subject, batch);
      return mail?.outboxFile ?? null;
    });
    // The row first: if the process crashes in between, a leftover file is swept, but a row without its file would
    // stay.
    if (file !== null) await outbox.remove(file);
    return file !== null;
  }

  return {
    /** Returns the number of undeliverable mails, counted up to `most`; for the operator. */
    countFailed: (max: number) => store.countFailed(db, max),

    async getOverview() {
      const counts = await store.countMails(db, withQueued);
      const newestDelayed = counts.delayed > 0 ? await store.findNewestDelayed(db) : null;
      return { hasServer, ...counts, newestDelayed };
    },

    delayed: (before?: number) => store.listDelayed(db, before),

    undeliverable: (before?: number) => store.listUndeliverable(db, before),

    outbox: (before?: number) => store.listOutbox(db, withQueued, before),

    /**
     * Returns the text of a mail in the outbox, which may contain a password: the audit log records who opened it.
     * @returns null if its file can't be read here
     * @throws AppError 'not-found'; 'forbidden' for a mail to a teacher, because another teacher could use it to
     * enter the account
     */
    async openText(id: number, caller: Caller) {
      const mail = await store.findInOutbox(db, withQueued, id);
      if (!mail) throw mailNotFound();
      if (mail.isHidden) throw new AppError('forbidden', TEACHER_MAIL_HIDDEN);
      const text = await readText(mail);
      if (text !== null)
        await audit.record(db, caller, 'mail-opened', formatDisplayName(mail.user), mail.subject);
      return text;
    },

    /** Returns a page of mails with their texts, without those that {@link openText} refuses or can't read. */
    async openMany({ batch, before, ...rest }: BodyOf<typeof mailApi.openMany>, caller: Caller) {
      assertExhaustive(rest);
      const page = await store.listReadable(db, withQueued, before);
      const opened = [];
      for (const { user, outboxFile, text: queued, ...mail } of page) {
        const text = await readText({ outboxFile, text: queued });
        if (text === null) continue;
        await audit.record(db, caller, 'mail-opened', formatDisplayName(user), mail.subject, batch);
        opened.push({ ...mail, name: formatDisplayName(user), username: user.username, text });
      }
      return { mails: opened, before: page.length < MAILS_PAGE_SIZE ? null : page.at(-1)!.id };
    },

    /**
     * Takes mails off the outbox list. Each has its own transaction, so a repeated call resumes where the last
     * stopped.
     */
    async passOn({ batch, ids, ...rest }: BodyOf<typeof mailApi.passOn>, caller: Caller) {
      assertExhaustive(rest);
      let passedOn = 0;
      for (const id of ids) if (await removeFromOutbox(id, caller, batch)) passedOn += 1;
      return { passedOn };
    },

    sendAgain,

    /**
     * Sends again as many mails as one request may, newest first. A mail that can't be sent does not stop the others.
     * @returns where to continue; null after the last
     * @throws AppError 'conflict' without a mail server, where new mails would only replace the old ones
     */
    async sendMany({ which, before, ...rest }: BodyOf<typeof mailApi.sendMany>, caller: Caller) {
      assertExhaustive(rest);
      if (!hasServer) throw conflict('Email isn’t set up on this server.');
      const ids = await store.listIdsToSend(db, which, before, MAX_RESENT_MAILS);
      const outcomes = [];
      for (const id of ids) outcomes.push(await runForOutcome(() => sendAgain(id, caller), log));
      const { successCount: sent, failureCount: failed } = countOutcomes(outcomes);
      return { sent, failed, before: ids.length < MAX_RESENT_MAILS ? null : ids.at(-1)! };
    },

    /**
     * Takes a mail off the list, because it was passed on by hand or given up.
     * @throws AppError 'not-found', also while it is being sent
     */
    async settle(id: number, caller: Caller) {
      if (await removeFromOutbox(id, caller)) return;
      if (!(await store.deleteUndeliverable(db, id))) throw mailNotFound();
    },

    /** Deletes delivered mails after a month, and outbox files without a mail. */
    async cleanUp(now: Date) {
      await store.deleteDeliveredBefore(db, new Date(now.getTime() - DELIVERED_RETENTION_MS));
      // The row of a file just written may not exist yet.
      const referenced = await store.listOutboxFiles(db);
      await outbox.sweep(new Date(now.getTime() - HOUR_MS), (name) => referenced.has(name));
    },
  };
}

const mailNotFound = () => notFound('This email no longer exists.');
