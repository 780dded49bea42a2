import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, createBadInputError, createNotFoundError } from '#shared/errors.ts';
import type { AttemptCounter } from '#server/limits/attempts.ts';
import type { BackgroundTaskRunner } from '#server/jobs/background-tasks.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { getNarrowestNetwork } from '#server/limits/network.ts';
import { queueMail } from '#server/mail/queue.ts';
import { explainGuessablePassword } from '#server/auth/guessable-passwords.ts';
import { hashPassword, verifyPassword } from '#server/auth/passwords.ts';
import { createSessionStore, type SessionManager } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import { removeAllPasskeys } from '#features/accounts/passkeys/server/service.ts';
import { rememberDevice, revokeSignInTokens } from '#features/accounts/sign-in/server/service.ts';
import { ISSUED_PASSWORD_EXPIRED_MESSAGE, isIssuedPasswordExpired } from '#features/accounts/limits.ts';
import {
  RESET_LINK_INVALID_MESSAGE,
  PASSWORD_UNCHANGED_MESSAGE,
  PASSKEYS_NOT_REMOVABLE_MESSAGE,
  RESET_LINK_TTL_HOURS,
} from '../limits.ts';
import type { passwordsApi } from '../contract.ts';
import { composePasswordChangedEmail, composeResetEmail } from './emails.ts';
import {
  PASSWORD_CHECK_RATE_LIMIT,
  RESET_EMAIL_RATE_LIMIT,
  RESET_REQUEST_RATE_LIMIT,
} from './rate-limits.ts';
import * as store from './store.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Maximum number of a user's reset links that are valid at the same time. Using one link revokes all of them.
 */
const MAX_VALID_LINKS = 2;

export type PasswordsService = ReturnType<typeof createPasswordsService>;

/** Creates the service that changes passwords and resets forgotten ones. */
export function createPasswordsService(deps: {
  db: Db;
  sessions: SessionManager;
  attempts: AttemptCounter;
  audit: AuditService;
  afterwards: BackgroundTaskRunner;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
  /** Returns whether the user has signed in on this device before. */
  isKnownDevice(userId: string, device: string | undefined): Promise<boolean>;
}) {
  const { db, sessions, attempts, audit, afterwards, clock, log, settings } = deps;

  /**
   * Creates a token and queues an email with the link. The previous link stays valid, so that somebody else's
   * request doesn't revoke the link that the user is about to open.
   * @returns false if the user is deleted or disabled
   */
  async function sendLink(tx: Db, userId: string): Promise<boolean> {
    const user = await store.lockActiveUser(tx, userId);
    if (!user) return false;
    const token = randomBytes(32).toString('base64url');
    const createdAt = clock();
    const expiresAt = new Date(createdAt.getTime() + RESET_LINK_TTL_HOURS * HOUR_MS);
    await store.insertResetToken(tx, { userId: user.id, token: hashToken(token), createdAt, expiresAt });
    await store.revokeResetTokens(tx, user.id, { butLast: MAX_VALID_LINKS });
    await queueMail(tx, composeResetEmail(user, token, settings));
    return true;
  }

  async function sendLinkToEmail(email: string): Promise<void> {
    try {
      const userId = await store.findUserIdByEmail(db, email);
      if (!userId) return;
      await db.transaction(async (tx) => {
        await store.lockActiveUser(tx, userId);
        const since = new Date(clock().getTime() - RESET_EMAIL_RATE_LIMIT.windowMs);
        if ((await store.countResetTokensSince(tx, userId, since)) < RESET_EMAIL_RATE_LIMIT.max)
          await sendLink(tx, userId);
      });
    } catch (error) {
      log.error({ error }, 'creating a password reset link failed; its user has to ask again');
    }
  }

  /**
   * Locks the user's row until the transaction ends, so that a concurrent reset or disabling of the account
   * either comes first or waits.
   * @throws AppError 'unauthorized' if the user is deleted or disabled
   */
  async function lockUser(tx: Db, userId: string) {
    const user = await store.lockActiveUser(tx, userId);
    if (!user) throw unauthorized();
    return user;
  }

  /**
   * Queues the email about a changed password. Does nothing without a mail server, because a teacher would
   * have to pass on each email by hand.
   */
  async function queueChangedEmail(
    tx: Db,
    user: Parameters<typeof composePasswordChangedEmail>[0],
    at: Date,
    also: Parameters<typeof composePasswordChangedEmail>[3] = {},
  ) {
    if (settings.mailServer) await queueMail(tx, composePasswordChangedEmail(user, at, settings, also));
  }

  /** @throws AppError 'bad-input' if the new password is easy to guess */
  async function assertNotGuessable(userId: string, password: string): Promise<void> {
    const user = await store.findUserById(db, userId);
    const own = user ? [user.username, user.email, user.firstName, user.lastName, joinNames(user)] : [];
    const problem = await explainGuessablePassword(password, {
      own,
      community: [settings.appName, settings.teacherTitle],
    });
    if (problem) throw fieldError('newPassword', problem);
  }

  /**
   * Gives the current session a new id and ends the user's other sessions.
   * @returns the new id
   * @throws AppError 'unauthorized' if a concurrent change has ended the current session
   */
  async function renewSession(tx: Db, currentSession: string | undefined, how: { isProved: boolean }) {
    const session = currentSession ? await createSessionStore(tx).renew(currentSession, how, clock()) : null;
    if (!session) throw unauthorized();
    return session;
  }

  /**
   * Checks the user's password, within the limit on guesses.
   * @returns the hash of the password, or null if the password is wrong
   * @throws AppError 'too-many'; 'bad-input' for an issued password that has expired
   */
  async function confirm(
    userId: string,
    password: string,
    from: { address: string; device: string | undefined },
  ): Promise<string | null> {
    const now = clock();
    const isKnown = await deps.isKnownDevice(userId, from.device);
    const subject = isKnown ? `${userId} ${from.device}` : userId;
    const current = await store.findStoredPassword(db, userId);
    const clientKey = { account: userId, address: from.address };
    const matches = await attempts.attempt(
      { kind: 'password-change', subject, address: from.address },
      { since: new Date(now.getTime() - PASSWORD_CHECK_RATE_LIMIT.windowMs), now },
      PASSWORD_CHECK_RATE_LIMIT.admit,
      () => verifyPassword(password, current?.password ?? null, clientKey),
    );
    if (current && matches) {
      if (isIssuedPasswordExpired(current.passwordIssuedAt, now))
        throw fieldError('currentPassword', ISSUED_PASSWORD_EXPIRED_MESSAGE);
      return current.password;
    }
    const address = getNarrowestNetwork(from.address);
    log.info({ event: 'password-change-failed', user: userId, address }, 'a wrong current password');
    return null;
  }

  return {
    confirm,

    /**
     * Changes the password of a user who knows the current password. Gives the current session a new id and ends
     * the user's other sessions.
     * @returns the new id of the current session
     * @param from the client's IP address, the id of the current session, and the device id, if there is one
     * @throws AppError 'bad-input' if the current password is wrong, or the new one is the same or easy to
     * guess; 'too-many'; 'unauthorized' if a concurrent change has ended the session
     */
    async change(
      userId: string,
      input: { currentPassword: string; newPassword: string },
      from: { address: string; session: string | undefined; device: string | undefined },
    ) {
      const now = clock();
      const address = getNarrowestNetwork(from.address);
      const clientKey = { account: userId, address: from.address };
      const current = await confirm(userId, input.currentPassword, from);
      if (!current) throw wrongPassword();
      if (input.newPassword === input.currentPassword)
        throw fieldError('newPassword', PASSWORD_UNCHANGED_MESSAGE);
      await assertNotGuessable(userId, input.newPassword);
      const password = await hashPassword(input.newPassword, clientKey);
      const session = await db.transaction(async (tx) => {
        const user = await lockUser(tx, userId);
        const renewed = await renewSession(tx, from.session, { isProved: !user.asksForPasskey });
        // Fails if a concurrent change came first, because the given password is then no longer the current
        // one.
        if (!(await store.setPasswordHash(tx, userId, password, { only: current }))) throw wrongPassword();
        await store.revokeResetTokens(tx, userId);
        await revokeSignInTokens(tx, userId);
        await queueChangedEmail(tx, user, now);
        return renewed;
      });
      log.info({ event: 'password-changed', user: userId, address }, 'a password was changed');
      return session;
    },

    /** Keeps the issued password and dismisses the suggestion to choose another password. */
    dismissPasswordSuggestion: (userId: string) => store.dismissPasswordSuggestion(db, userId),

    /**
     * Ends the user's other sessions, and revokes all of the user's sign-in links and codes.
     * @returns the new id of the current session
     */
    endOtherSessions: (userId: string, currentSession: string | undefined) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId);
        await revokeSignInTokens(tx, userId);
        return renewSession(tx, currentSession, { isProved: false });
      }),

    listSessions: (userId: string, currentSession: string) =>
      sessions.listOf(userId, currentSession, clock()),

    /**
     * Ends one of the user's sessions. Revokes all of the user's sign-in links and codes, because that
     * session may have requested them.
     * @throws AppError 'not-found', also for somebody else's session
     */
    endSession: (userId: string, id: string) =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId);
        if (!(await createSessionStore(tx).endListed(userId, id)))
          throw createNotFoundError('This device is already signed out.');
        await revokeSignInTokens(tx, userId);
      }),

    /**
     * Emails a link to the user with this email address, if there is one. The content and timing of the
     * response don't reveal whether there is such a user, because everything except counting the request
     * happens after the response.
     * @throws AppError 'too-many'
     */
    async requestReset(email: string, address: string) {
      const now = clock();
      const since = new Date(now.getTime() - RESET_REQUEST_RATE_LIMIT.windowMs);
      await attempts.record(
        { kind: 'password-reset', subject: email, address },
        { since, now },
        RESET_REQUEST_RATE_LIMIT.allow,
      );
      log.info(
        { event: 'reset-requested', address: getNarrowestNetwork(address) },
        'a password reset link was requested',
      );
      afterwards.add(() => sendLinkToEmail(email));
    },

    /**
     * Sends a new link in place of one that could not be delivered, in the caller's transaction.
     * @returns false, without sending anything, if the user is deleted or disabled
     */
    sendResetAgain: sendLink,

    /**
     * Resends the email about a changed password, with the time of the change.
     * @returns false if the user is deleted or disabled
     */
    async resendPasswordChangedEmail(tx: Db, userId: string, at: Date) {
      const user = await store.lockActiveUser(tx, userId);
      if (user) await queueMail(tx, composePasswordChangedEmail(user, at, settings));
      return user !== null;
    },

    /**
     * Sets a new password with the token of an emailed link, uses up the token and ends all of the user's
     * sessions. The browser becomes a known device, so that the user can sign in next even if others are
     * guessing the password.
     * @param from the client's IP address, the browser's session id and the device id, if there are any. This
     * session also ends, even if it is another user's, because the next step is to sign in.
     * @returns the id for the device cookie
     * @throws AppError 'bad-input' if the token is unknown, used, void or expired, or the user is disabled.
     * Also if the new password is easy to guess or the request would remove the passkeys of a user with a
     * second factor; in these cases the token stays valid.
     */
    async confirmReset(
      { token, newPassword, removePasskeys, ...rest }: BodyOf<typeof passwordsApi.confirmReset>,
      from: { address: string; session: string | undefined; device: string | undefined },
    ) {
      assertExhaustive(rest);
      const now = clock();
      // Checks the token before hashing the password, because hashing is expensive.
      const userId = await store.findUserIdByResetToken(db, hashToken(token), now);
      if (!userId) throw fieldError('token', RESET_LINK_INVALID_MESSAGE);
      await assertNotGuessable(userId, newPassword);
      const password = await hashPassword(newPassword, { account: userId, address: from.address });
      const device = await db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, userId);
        if (!user || !(await store.consumeResetToken(tx, hashToken(token), now)))
          throw fieldError('token', RESET_LINK_INVALID_MESSAGE);
        // Refuses to remove the passkeys of a user with a second factor. Otherwise, access to the user's
        // mailbox would be enough to sign in.
        if (removePasskeys && user.asksForPasskey)
          throw fieldError('removePasskeys', PASSKEYS_NOT_REMOVABLE_MESSAGE);
        const removed = removePasskeys ? await removeAllPasskeys(tx, userId) : 0;
        await replacePassword(tx, userId, password);
        await audit.record(tx, user, 'password-reset', formatDisplayName(user));
        if (removed > 0) await audit.record(tx, user, 'passkey-removed', formatDisplayName(user));
        await queueChangedEmail(tx, user, now, { hasRemovedPasskeys: removed > 0 });
        if (from.session) await createSessionStore(tx).end(from.session);
        return rememberDevice(tx, userId, from.device, now);
      });
      const address = getNarrowestNetwork(from.address);
      log.info({ event: 'password-reset', user: userId, address }, 'a password was set by a mailed link');
      return device;
    },

    deleteExpiredLinks: () => store.deleteResetTokensExpiredBefore(db, clock()),
  };
}

/**
 * Replaces a user's password, ends all of the user's sessions and revokes all links and codes.
 * @param password the hash of the new password
 * @param isIssued whether the password was generated for the user, who is then asked to choose another
 */
export async function replacePassword(
  tx: Db,
  userId: string,
  password: string,
  { isIssued = false }: { isIssued?: boolean } = {},
): Promise<void> {
  await store.setPasswordHash(tx, userId, password, { isIssued });
  await revokeSessionsLinksAndCodes(tx, userId);
}

/**
 * Ends all sessions of a user and revokes all links and codes, both for resets and for signing in. The
 * transaction must have locked the user's row.
 */
export async function revokeSessionsLinksAndCodes(tx: Db, userId: string): Promise<void> {
  await revokeLinksAndCodes(tx, userId);
  await createSessionStore(tx).endAllOf(userId);
}

/** Revokes all links and codes of a user. The transaction must have locked the user's row. */
export async function revokeLinksAndCodes(tx: Db, userId: string): Promise<void> {
  await store.revokeResetTokens(tx, userId);
  await revokeSignInTokens(tx, userId);
}

const fieldError = (path: string, message: string) => createBadInputError(message, [{ path, message }]);
const joinNames = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }) =>
  `${firstName ?? ''}${lastName ?? ''}`;
const unauthorized = () => new AppError('unauthorized', 'Unauthorized');
const wrongPassword = () => fieldError('currentPassword', 'Current password is incorrect');

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');
