import type { Db } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { displayName } from '#shared/display-name.ts';
import { AppError, conflict, notFound } from '#shared/errors.ts';
import type { Log } from '#server/log.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import type { Mail } from '#server/mail/queue.ts';
import { countsOf, outcomeOf } from '#server/outcome.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { mailApi } from '../contract.ts';
import { HIDDEN_FROM_ALL, MAILS_AT_ONCE, MAILS_PAGE } from '../limits.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Whoever asks 'has it been sent?' asks within a month. */
const DELIVERED_KEPT_MS = 30 * DAY_MS;

/**
 * Composes a new mail of its kind for a user, and queues it. The content of the first one was erased, and a password in
 * it was never stored: each kind is composed by the feature that wrote the first.
 * @param writtenAt when the first one was written
 */
export type Composer = (tx: Db, userId: string, caller: Caller, writtenAt: Date) => Promise<void>;
export type Composers = Record<Mail['kind'], Composer>;

export type MailService = ReturnType<typeof mailService>;

type Deps = {
  db: Db;
  outbox: Outbox;
  hasServer: boolean;
  composers: Composers;
  audit: AuditService;
  log: Log;
};

/** Mail that needs the teacher: what could not be delivered, and what is in the outbox. */
export function mailService({ db, outbox, hasServer, composers, audit, log }: Deps) {
  // Without a server, a queued mail is in the outbox in a moment: the teacher need not look twice.
  const withQueued = !hasServer;

  /**
   * Replaces a mail that was not delivered with a new one.
   * @throws AppError 'not-found'; 'conflict' while it is being sent
   */
  async function sendAgain(id: number, caller: Caller) {
    const file = await db.transaction(async (tx) => {
      const mail = await store.lockMail(tx, id);
      if (mail?.status === 'queued') throw conflict('This mail is being sent already.');
      // A delivered mail needs no attention.
      if (!mail || (mail.status === 'delivered' && mail.outboxFile === null)) throw noSuchMail();
      await composers[mail.kind](tx, mail.userId, caller, mail.createdAt);
      await store.deleteMail(tx, id);
      return mail.outboxFile;
    });
    if (file !== null) await outbox.remove(file);
  }

  const readText = (mail: { outboxFile: string | null; text: string | null }) =>
    mail.outboxFile === null ? mail.text : outbox.read(mail.outboxFile);

  /** @returns false if it was not in the outbox */
  async function leaveOutbox(id: number, caller: Caller, batch: string | null = null): Promise<boolean> {
    const file = await db.transaction(async (tx) => {
      const mail = await store.leaveOutbox(tx, id);
      if (mail && !mail.isHidden)
        await audit.record(tx, caller, 'mail-passed-on', displayName(mail.user), mail.subject, batch);
      return mail?.outboxFile ?? null;
    });
    // The row first: a file that a crash leaves behind is swept, a row without its file would stay.
    if (file !== null) await outbox.remove(file);
    return file !== null;
  }

  return {
    /** How many mails were given up, counted up to `most`; for the operator. */
    countFailed: (most: number) => store.countFailed(db, most),

    /** How many mails need the teacher. */
    async overview() {
      const counts = await store.countMails(db, withQueued);
      const newestDelayed = counts.delayed > 0 ? await store.findNewestDelayed(db) : null;
      return { hasServer, ...counts, newestDelayed };
    },

    delayed: (before?: number) => store.listDelayed(db, before),

    undeliverable: (before?: number) => store.listUndeliverable(db, before),

    outbox: (before?: number) => store.listOutbox(db, withQueued, before),

    /**
     * Returns the text of a mail in the outbox, which may carry a password: the audit log records who opened it.
     * @returns null if its file can't be read here
     * @throws AppError 'not-found'; 'forbidden' for a mail to a teacher, whose account it could open to another
     */
    async openText(id: number, caller: Caller) {
      const mail = await store.findInOutbox(db, withQueued, id);
      if (!mail) throw noSuchMail();
      if (mail.isHidden) throw new AppError('forbidden', HIDDEN_FROM_ALL);
      const text = await readText(mail);
      if (text !== null) await audit.record(db, caller, 'mail-opened', displayName(mail.user), mail.subject);
      return text;
    },

    /** Returns a page of mails with their texts, without those that {@link openText} refuses or can't read. */
    async openMany({ batch, before, ...rest }: BodyOf<typeof mailApi.openMany>, caller: Caller) {
      nothingLeft(rest);
      const page = await store.listReadable(db, withQueued, before);
      const opened = [];
      for (const { user, outboxFile, text: queued, ...mail } of page) {
        const text = await readText({ outboxFile, text: queued });
        if (text === null) continue;
        await audit.record(db, caller, 'mail-opened', displayName(user), mail.subject, batch);
        opened.push({ ...mail, name: displayName(user), username: user.username, text });
      }
      return { mails: opened, before: page.length < MAILS_PAGE ? null : page.at(-1)!.id };
    },

    /** Takes mails off the outbox list. Each has a transaction of its own, so a repeated call goes on where one stopped. */
    async passOn({ batch, ids, ...rest }: BodyOf<typeof mailApi.passOn>, caller: Caller) {
      nothingLeft(rest);
      let passedOn = 0;
      for (const id of ids) if (await leaveOutbox(id, caller, batch)) passedOn += 1;
      return { passedOn };
    },

    sendAgain,

    /**
     * Sends again as many as one request may, newest first; who can't get mail stops no other.
     * @returns where to go on; null after the last
     * @throws AppError 'conflict' without a mail server, where new mails would only take the place of the old ones
     */
    async sendMany({ which, before, ...rest }: BodyOf<typeof mailApi.sendMany>, caller: Caller) {
      nothingLeft(rest);
      if (!hasServer) throw conflict('There is no mail server.');
      const ids = await store.idsToSend(db, which, before, MAILS_AT_ONCE);
      const outcomes = [];
      for (const id of ids) outcomes.push(await outcomeOf(() => sendAgain(id, caller), log));
      const { successCount: sent, failureCount: failed } = countsOf(outcomes);
      return { sent, failed, before: ids.length < MAILS_AT_ONCE ? null : ids.at(-1)! };
    },

    /**
     * Takes a mail off the list: passed on by hand, or given up.
     * @throws AppError 'not-found', also while it is being sent
     */
    async settle(id: number, caller: Caller) {
      if (await leaveOutbox(id, caller)) return;
      if (!(await store.deleteUndeliverable(db, id))) throw noSuchMail();
    },

    /** Deletes delivered mails after a month, and files of the outbox that no mail names. */
    async tidy(now: Date) {
      await store.deleteDeliveredBefore(db, new Date(now.getTime() - DELIVERED_KEPT_MS));
      // A file just written may be about to get its row.
      const wanted = await store.outboxFiles(db);
      await outbox.sweep(new Date(now.getTime() - HOUR_MS), (name) => wanted.has(name));
    },
  };
}

const noSuchMail = () => notFound('No such mail');
