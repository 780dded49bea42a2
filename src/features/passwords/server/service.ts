import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../../db/database.ts';
import { AppError, badInput } from '../../../platform/contract/errors.ts';
import type { Attempts } from '../../../platform/server/attempts.ts';
import type { Clock } from '../../../platform/server/clock.ts';
import type { Log } from '../../../platform/server/log.ts';
import { network } from '../../../platform/server/network.ts';
import { queueMail } from '../../../platform/server/mail/queue.ts';
import { whyGuessable } from '../../../platform/server/guessable-passwords.ts';
import { hashPassword, passwordMatches } from '../../../platform/server/passwords.ts';
import { sessionsOf } from '../../../platform/server/sessions.ts';
import type { Settings } from '../../../platform/server/settings.ts';
import { LINK_INVALID, NOT_DIFFERENT, RESET_LINK_HOURS } from '../limits.ts';
import { backgroundTasks } from './background-tasks.ts';
import { passwordChangedMail, resetMail } from './emails.ts';
import { CHANGING, LINKS, RESETTING } from './guessing.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Nobody who waits for a mail notices it. */
const MOST_DELAY_MS = 2000;

/** How many of a user's links work at once; using one voids all. */
const LINKS_GOOD = 2;

export type PasswordsService = ReturnType<typeof passwordsService>;

/** How people change their password, and get in again when they have forgotten it. */
export function passwordsService(deps: {
  db: Db;
  attempts: Attempts;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
  /** Whether the user has signed in on this device before. */
  isKnownDevice(userId: string, device: string | undefined): Promise<boolean>;
}) {
  const { db, attempts, clock, log, settings } = deps;
  const behind = backgroundTasks(MOST_DELAY_MS);

  /**
   * A new token and its mail. The link before it stays good, so that a request by somebody else doesn't void the one
   * that its owner is about to open.
   * @returns false for a user who is gone or disabled
   */
  async function sendLink(tx: Db, userId: string): Promise<boolean> {
    const user = await store.holdActiveUser(tx, userId);
    if (!user) return false;
    const token = randomBytes(32).toString('base64url');
    const createdAt = clock();
    const expiresAt = new Date(createdAt.getTime() + RESET_LINK_HOURS * HOUR_MS);
    await store.insertToken(tx, { userId: user.id, token: hashed(token), createdAt, expiresAt });
    await store.voidTokens(tx, user.id, { butLast: LINKS_GOOD });
    await queueMail(tx, resetMail(user, token, settings));
    return true;
  }

  async function sendLinkTo(email: string): Promise<void> {
    try {
      const userId = await store.userIdOf(db, email);
      if (!userId) return;
      await db.transaction(async (tx) => {
        await store.holdActiveUser(tx, userId);
        const since = new Date(clock().getTime() - LINKS.windowMs);
        if ((await store.countTokensSince(tx, userId, since)) < LINKS.most) await sendLink(tx, userId);
      });
    } catch (error) {
      log.error({ error }, 'a password reset link could not be made; its user has to ask again');
    }
  }

  /**
   * Until the transaction ends, nothing else ends the user's sessions: a reset or a disabling that runs at the same
   * moment comes first or waits. A session that it has ended meanwhile begins no other.
   * @throws AppError 'unauthorized' when the session in use has ended
   */
  async function holdSession(tx: Db, userId: string, here: string | undefined) {
    const user = await store.holdActiveUser(tx, userId);
    const isAlive = here && (await sessionsOf(tx).find(here, clock(), { prolong: false }));
    if (!user || !isAlive) throw new AppError('unauthorized', 'Unauthorized');
    return user;
  }

  /** Without a mail server the teacher would have to pass each on by hand, as news. */
  async function tellOfChange(tx: Db, user: Parameters<typeof passwordChangedMail>[0], at: Date) {
    if (settings.mailServer) await queueMail(tx, passwordChangedMail(user, at, settings));
  }

  /** @throws AppError 'bad-input' for a new password that others would soon guess */
  async function refuseGuessable(userId: string, password: string): Promise<void> {
    const user = await store.namesOf(db, userId);
    const own = user ? [user.username, user.email, user.firstName, user.lastName, fullNameOf(user)] : [];
    const problem = await whyGuessable(password, {
      own,
      community: [settings.appName, settings.teacherTitle],
    });
    if (problem) throw about('newPassword', problem);
  }

  /** A new session in place of all that the user had: a copied cookie is worth nothing any more. */
  async function renewSession(tx: Db, userId: string): Promise<string> {
    const sessions = sessionsOf(tx);
    const session = await sessions.start(userId, clock());
    await sessions.endAllOf(userId, session);
    return session;
  }

  return {
    /**
     * Changes the password of one who knows the current one. Ends all of the user's sessions.
     * @returns the id of the session that takes the place of the one in use
     * @param from the client's address, the session in use, and the id of the device if it has one
     * @throws AppError 'bad-input' when the current password is wrong, or the new one is the same or soon guessed;
     *   'too-many'; 'unauthorized' when the session has ended meanwhile
     */
    async change(
      userId: string,
      given: { currentPassword: string; newPassword: string },
      from: { address: string; session: string | undefined; device: string | undefined },
    ) {
      const now = clock();
      const isKnown = await deps.isKnownDevice(userId, from.device);
      const subject = isKnown ? `${userId} ${from.device}` : userId;
      const current = await store.passwordOf(db, userId);
      const turn = { account: userId, address: from.address };
      const matches = await attempts.attempt(
        { kind: 'password-change', subject, address: from.address },
        { since: new Date(now.getTime() - CHANGING.windowMs), now },
        CHANGING.admit,
        () => passwordMatches(given.currentPassword, current, turn),
      );
      const address = network(from.address);
      if (!current || !matches) {
        log.info({ event: 'password-change-failed', user: userId, address }, 'a wrong current password');
        throw wrongPassword();
      }
      if (given.newPassword === given.currentPassword) throw about('newPassword', NOT_DIFFERENT);
      await refuseGuessable(userId, given.newPassword);
      const password = await hashPassword(given.newPassword, turn);
      const session = await db.transaction(async (tx) => {
        const user = await holdSession(tx, userId, from.session);
        // Changed meanwhile: what was given is not the current one any more.
        if (!(await store.setPassword(tx, userId, password, { only: current }))) throw wrongPassword();
        await store.voidTokens(tx, userId);
        await tellOfChange(tx, user, now);
        return renewSession(tx, userId);
      });
      log.info({ event: 'password-changed', user: userId, address }, 'a password was changed');
      return session;
    },

    /** The issued password stays; choosing one's own is no longer suggested. */
    keepIssued: (userId: string) => store.stopSuggesting(db, userId),

    /** @returns the id of the session that takes the place of the one in use */
    endOtherSessions: (userId: string, here: string | undefined) =>
      db.transaction(async (tx) => {
        await holdSession(tx, userId, here);
        return renewSession(tx, userId);
      }),

    /**
     * Mails a link to whoever has this email, without a word or a moment that would tell whether anybody has: what
     * follows the count happens behind the answer.
     * @throws AppError 'too-many'
     */
    async requestReset(email: string, address: string) {
      const now = clock();
      const since = new Date(now.getTime() - RESETTING.windowMs);
      await attempts.note(
        { kind: 'password-reset', subject: email, address },
        { since, now },
        RESETTING.allow,
      );
      log.info(
        { event: 'reset-requested', address: network(address) },
        'a link to reset a password was asked for',
      );
      behind.add(() => sendLinkTo(email));
    },

    /** Resolves when every link that was asked for is on its way. */
    idle: behind.idle,

    /**
     * Sends a new link in place of one that could not be delivered, in the transaction of whoever asks for it.
     * @returns false when the user is gone or disabled, and nothing was sent
     */
    sendResetAgain: sendLink,

    /** Tells of a change once more, as of when it was. @returns false when the user is gone or disabled */
    async sendChangedAgain(tx: Db, userId: string, at: Date) {
      const user = await store.holdActiveUser(tx, userId);
      if (user) await queueMail(tx, passwordChangedMail(user, at, settings));
      return user !== null;
    },

    /**
     * Sets a new password by a mailed token, once, and ends all of the user's sessions.
     * @param from the client's address, and the session of the browser it is done in, whoever's: it ends too, for the
     *   next step is to sign in
     * @throws AppError 'bad-input' when the token is unknown, used, void or too old, or its user disabled; when the
     *   new password would soon be guessed, and then the token is still good
     */
    async confirmReset(
      token: string,
      newPassword: string,
      from: { address: string; session: string | undefined },
    ) {
      const now = clock();
      // Before the hash, which is dear.
      const userId = await store.userOfToken(db, hashed(token), now);
      if (!userId) throw about('token', LINK_INVALID);
      await refuseGuessable(userId, newPassword);
      const password = await hashPassword(newPassword, { account: userId, address: from.address });
      await db.transaction(async (tx) => {
        const user = await store.holdActiveUser(tx, userId);
        if (!user || !(await store.useToken(tx, hashed(token), now))) throw about('token', LINK_INVALID);
        await replacePassword(tx, userId, password);
        await tellOfChange(tx, user, now);
        if (from.session) await sessionsOf(tx).end(from.session);
      });
      const address = network(from.address);
      log.info({ event: 'password-reset', user: userId, address }, 'a password was set by a mailed link');
    },

    /** Forgets links that nobody can use any more. */
    forgetOldLinks: () => store.forgetTokensBefore(db, clock()),
  };
}

/**
 * Gives a user another password and ends all that the old one began: sessions, and links to reset it.
 * @param password hashed
 * @param isIssued made for the user, who is then asked to choose one of their own
 */
export async function replacePassword(
  tx: Db,
  userId: string,
  password: string,
  { isIssued = false }: { isIssued?: boolean } = {},
): Promise<void> {
  await store.setPassword(tx, userId, password, { isIssued });
  await endWaysIn(tx, userId);
}

/** Ends all sessions of a user and voids all links to reset the password; its row must be held by the transaction. */
export async function endWaysIn(tx: Db, userId: string): Promise<void> {
  await store.voidTokens(tx, userId);
  await sessionsOf(tx).endAllOf(userId);
}

const about = (path: string, message: string) => badInput(message, [{ path, message }]);
const fullNameOf = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }) =>
  `${firstName ?? ''}${lastName ?? ''}`;
const wrongPassword = () => about('currentPassword', 'Current password is incorrect');

const hashed = (token: string) => createHash('sha256').update(token).digest('hex');
