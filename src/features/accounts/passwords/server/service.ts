import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { displayName } from '#shared/display-name.ts';
import { AppError, badInput, notFound } from '#shared/errors.ts';
import type { Attempts } from '#server/limits/attempts.ts';
import type { BackgroundTasks } from '#server/jobs/background-tasks.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { network } from '#server/limits/network.ts';
import { queueMail } from '#server/mail/queue.ts';
import { whyGuessable } from '#server/auth/guessable-passwords.ts';
import { hashPassword, passwordMatches } from '#server/auth/passwords.ts';
import { sessionsOf, type Sessions } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import { forgetPasskeys } from '#features/accounts/passkeys/server/service.ts';
import { rememberDevice, voidSignInTokens } from '#features/accounts/sign-in/server/service.ts';
import { ISSUED_PASSWORD_EXPIRED, isIssuedPasswordExpired } from '#features/accounts/limits.ts';
import { LINK_INVALID, NOT_DIFFERENT, PASSKEYS_STAY, RESET_LINK_HOURS } from '../limits.ts';
import type { passwordsApi } from '../contract.ts';
import { passwordChangedMail, resetMail } from './emails.ts';
import { CHANGING, LINKS, RESETTING } from './guessing.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Number of links of a user that work at once; using one voids all. */
const LINKS_GOOD = 2;

export type PasswordsService = ReturnType<typeof passwordsService>;

/** Changes passwords, and resets forgotten ones. */
export function passwordsService(deps: {
  db: Db;
  sessions: Sessions;
  attempts: Attempts;
  audit: AuditService;
  afterwards: BackgroundTasks;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
  /** Returns whether the user has signed in on this device before. */
  isKnownDevice(userId: string, device: string | undefined): Promise<boolean>;
}) {
  const { db, sessions, attempts, audit, afterwards, clock, log, settings } = deps;

  /**
   * Creates a token and queues its mail. The previous link stays valid, so that somebody else's request
   * doesn't void the link that its owner is about to open.
   * @returns false if the user is deleted or disabled
   */
  async function sendLink(tx: Db, userId: string): Promise<boolean> {
    const user = await store.lockActiveUser(tx, userId);
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
        await store.lockActiveUser(tx, userId);
        const since = new Date(clock().getTime() - LINKS.windowMs);
        if ((await store.countTokensSince(tx, userId, since)) < LINKS.most) await sendLink(tx, userId);
      });
    } catch (error) {
      log.error({ error }, 'creating a password reset link failed; its user has to ask again');
    }
  }

  /**
   * Locks the user until the transaction ends, so that a concurrent reset or disabling comes first or waits.
   * @throws AppError 'unauthorized' when the user is deleted or disabled
   */
  async function lockUser(tx: Db, userId: string) {
    const user = await store.lockActiveUser(tx, userId);
    if (!user) throw unauthorized();
    return user;
  }

  /** Skipped without a mail server, because a teacher would have to pass each mail on by hand. */
  async function queueChangedMail(
    tx: Db,
    user: Parameters<typeof passwordChangedMail>[0],
    at: Date,
    also: Parameters<typeof passwordChangedMail>[3] = {},
  ) {
    if (settings.mailServer) await queueMail(tx, passwordChangedMail(user, at, settings, also));
  }

  /** @throws AppError 'bad-input' for a new password that is easy to guess */
  async function refuseGuessable(userId: string, password: string): Promise<void> {
    const user = await store.namesOf(db, userId);
    const own = user ? [user.username, user.email, user.firstName, user.lastName, fullNameOf(user)] : [];
    const problem = await whyGuessable(password, {
      own,
      community: [settings.appName, settings.teacherTitle],
    });
    if (problem) throw about('newPassword', problem);
  }

  /**
   * Gives the current session a new id and ends the user's others.
   * @throws AppError 'unauthorized' when a concurrent change has ended it
   */
  async function renewSession(tx: Db, here: string | undefined, how: { isProved: boolean }) {
    const session = here ? await sessionsOf(tx).renew(here, how, clock()) : null;
    if (!session) throw unauthorized();
    return session;
  }

  /**
   * Checks the user's password, within the limit on guesses.
   * @returns its hash, or null if the password is wrong
   * @throws AppError 'too-many'
   */
  async function confirm(
    userId: string,
    password: string,
    from: { address: string; device: string | undefined },
  ): Promise<string | null> {
    const now = clock();
    const isKnown = await deps.isKnownDevice(userId, from.device);
    const subject = isKnown ? `${userId} ${from.device}` : userId;
    const current = await store.passwordOf(db, userId);
    const turn = { account: userId, address: from.address };
    const matches = await attempts.attempt(
      { kind: 'password-change', subject, address: from.address },
      { since: new Date(now.getTime() - CHANGING.windowMs), now },
      CHANGING.admit,
      () => passwordMatches(password, current?.password ?? null, turn),
    );
    if (current && matches) {
      if (isIssuedPasswordExpired(current.passwordIssuedAt, now))
        throw about('currentPassword', ISSUED_PASSWORD_EXPIRED);
      return current.password;
    }
    const address = network(from.address);
    log.info({ event: 'password-change-failed', user: userId, address }, 'a wrong current password');
    return null;
  }

  return {
    confirm,

    /**
     * Changes the password of a user who knows the current one, and ends all of the user's sessions.
     * @returns the id of the new session that replaces the current one
     * @param from the client's address, the current session, and the id of the device if it has one
     * @throws AppError 'bad-input' when the current password is wrong, or the new one is the same or easy to
     * guess; 'too-many'; 'unauthorized' when a concurrent change has ended the session
     */
    async change(
      userId: string,
      given: { currentPassword: string; newPassword: string },
      from: { address: string; session: string | undefined; device: string | undefined },
    ) {
      const now = clock();
      const address = network(from.address);
      const turn = { account: userId, address: from.address };
      const current = await confirm(userId, given.currentPassword, from);
      if (!current) throw wrongPassword();
      if (given.newPassword === given.currentPassword) throw about('newPassword', NOT_DIFFERENT);
      await refuseGuessable(userId, given.newPassword);
      const password = await hashPassword(given.newPassword, turn);
      const session = await db.transaction(async (tx) => {
        const user = await lockUser(tx, userId);
        const renewed = await renewSession(tx, from.session, { isProved: !user.asksForPasskey });
        // A concurrent change won: the given password is no longer the current one.
        if (!(await store.setPassword(tx, userId, password, { only: current }))) throw wrongPassword();
        await store.voidTokens(tx, userId);
        await voidSignInTokens(tx, userId);
        await queueChangedMail(tx, user, now);
        return renewed;
      });
      log.info({ event: 'password-changed', user: userId, address }, 'a password was changed');
      return session;
    },

    /** Keeps the issued password and dismisses the suggestion to choose another. */
    keepIssued: (userId: string) => store.stopSuggesting(db, userId),

    /** @returns the id of the new session that replaces the current one */
    endOtherSessions: (userId: string, here: string | undefined) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId);
        await voidSignInTokens(tx, userId);
        return renewSession(tx, here, { isProved: false });
      }),

    /** @param here the id of the current session */
    listSessions: (userId: string, here: string) => sessions.listOf(userId, here, clock()),

    /**
     * Ends one of the user's sessions and voids links and codes that it may have requested.
     * @throws AppError 'not-found', also for somebody else's session
     */
    endSession: (userId: string, id: string) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId);
        if (!(await sessionsOf(tx).endListed(userId, id)))
          throw notFound('This device is already signed out.');
        await voidSignInTokens(tx, userId);
      }),

    /**
     * Mails a link to the user with this email, if there is one. Neither the content nor the timing of the
     * response reveals whether there is: everything after counting the attempt happens after the response.
     * @throws AppError 'too-many'
     */
    async requestReset(email: string, address: string) {
      const now = clock();
      const since = new Date(now.getTime() - RESETTING.windowMs);
      await attempts.record(
        { kind: 'password-reset', subject: email, address },
        { since, now },
        RESETTING.allow,
      );
      log.info(
        { event: 'reset-requested', address: network(address) },
        'a password reset link was requested',
      );
      afterwards.add(() => sendLinkTo(email));
    },

    /**
     * Replaces a link that could not be delivered, in the caller's transaction.
     * @returns false if the user is deleted or disabled, and nothing was sent
     */
    sendResetAgain: sendLink,

    /**
     * Announces a change again, with its original time.
     * @returns false if the user is deleted or disabled
     */
    async sendChangedAgain(tx: Db, userId: string, at: Date) {
      const user = await store.lockActiveUser(tx, userId);
      if (user) await queueMail(tx, passwordChangedMail(user, at, settings));
      return user !== null;
    },

    /**
     * Sets a new password with a mailed token, once, and ends all of the user's sessions. The browser becomes
     * a known device, so that its owner can sign in next, no matter how many others are guessing at the
     * account.
     * @param from the client's address; the session of the browser, no matter whose, which also ends because
     * the next step is to sign in; and the id of the device if it has one
     * @returns the id for the device's cookie
     * @throws AppError 'bad-input' when the token is unknown, used, void or expired, or its user disabled;
     * also when the new password is easy to guess, or passkeys of a user with a second factor are to be
     * removed, but then the token stays valid
     */
    async confirmReset(
      { token, newPassword, removePasskeys, ...rest }: BodyOf<typeof passwordsApi.confirmReset>,
      from: { address: string; session: string | undefined; device: string | undefined },
    ) {
      nothingLeft(rest);
      const now = clock();
      // Checked before the hash, which is expensive.
      const userId = await store.userOfToken(db, hashed(token), now);
      if (!userId) throw about('token', LINK_INVALID);
      await refuseGuessable(userId, newPassword);
      const password = await hashPassword(newPassword, { account: userId, address: from.address });
      const device = await db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, userId);
        if (!user || !(await store.useToken(tx, hashed(token), now))) throw about('token', LINK_INVALID);
        // Otherwise the mailbox alone would be enough, which the second factor is there to prevent.
        if (removePasskeys && user.asksForPasskey) throw about('removePasskeys', PASSKEYS_STAY);
        const removed = removePasskeys ? await forgetPasskeys(tx, userId) : 0;
        await replacePassword(tx, userId, password);
        await audit.record(tx, user, 'password-reset', displayName(user));
        if (removed > 0) await audit.record(tx, user, 'passkey-removed', displayName(user));
        await queueChangedMail(tx, user, now, { hasRemovedPasskeys: removed > 0 });
        if (from.session) await sessionsOf(tx).end(from.session);
        return rememberDevice(tx, userId, from.device, now);
      });
      const address = network(from.address);
      log.info({ event: 'password-reset', user: userId, address }, 'a password was set by a mailed link');
      return device;
    },

    /** Deletes links that no longer work. */
    forgetOldLinks: () => store.forgetTokensBefore(db, clock()),
  };
}

/**
 * Replaces a user's password and revokes everything based on the old one: sessions and reset links.
 * @param password hashed
 * @param isIssued generated for the user, whom the page then asks to choose another
 */
export async function replacePassword(
  tx: Db,
  userId: string,
  password: string,
  { isIssued = false }: { isIssued?: boolean } = {},
): Promise<void> {
  await store.setPassword(tx, userId, password, { isIssued });
  await revokeSessionsAndLinks(tx, userId);
}

/**
 * Ends all sessions of a user and voids all links and codes, for resets and for signing in. The transaction
 * must have locked the user's row.
 */
export async function revokeSessionsAndLinks(tx: Db, userId: string): Promise<void> {
  await voidLinks(tx, userId);
  await sessionsOf(tx).endAllOf(userId);
}

/** Voids all links and codes of a user, whose row the transaction has locked. */
export async function voidLinks(tx: Db, userId: string): Promise<void> {
  await store.voidTokens(tx, userId);
  await voidSignInTokens(tx, userId);
}

const about = (path: string, message: string) => badInput(message, [{ path, message }]);
const fullNameOf = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }) =>
  `${firstName ?? ''}${lastName ?? ''}`;
const unauthorized = () => new AppError('unauthorized', 'Unauthorized');
const wrongPassword = () => about('currentPassword', 'Current password is incorrect');

const hashed = (token: string) => createHash('sha256').update(token).digest('hex');
