import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Db } from '#server/db/database.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { AttemptCounter } from '#server/limits/attempts.ts';
import type { BackgroundTaskRunner } from '#server/jobs/background-tasks.ts';
import { announceChange } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { queueMail } from '#server/mail/queue.ts';
import { getNarrowestNetwork } from '#server/limits/network.ts';
import { hashForLookup } from '#server/auth/passwords.ts';
import { createSessionStore } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import type { PasskeyAssertion } from '#features/accounts/passkeys/contract.ts';
import type { PasskeysService } from '#features/accounts/passkeys/server/service.ts';
import { SIGN_IN_CODE_ALPHABET, SIGN_IN_CODE_LENGTH, normalizeSignInCode } from '../sign-in-code.ts';
import {
  SIGN_IN_CODE_INVALID_MESSAGE,
  SIGN_IN_LINK_INVALID_MESSAGE,
  SIGN_IN_TOKEN_TTL_MINUTES,
} from '../limits.ts';
import { describeDevice } from './describe-device.ts';
import { composeSignInLinkEmail } from './emails.ts';
import {
  SIGN_IN_CODE_GUESS_RATE_LIMIT,
  SIGN_IN_CODE_CREATION_RATE_LIMIT,
  SIGN_IN_LINK_RATE_LIMIT,
} from './rate-limits.ts';
import * as store from './store.ts';

const LIFETIME_MS = SIGN_IN_TOKEN_TTL_MINUTES * 60 * 1000;

/** Token of an emailed link, or a code as typed by the user. */
export type OneTimeToken = { kind: 'link' | 'code'; token: string };

/** Details about the client of a sign-in request. */
export type ClientInfo = {
  address: string;
  device: string | undefined;
  userAgent: string | undefined;
  signal: AbortSignal;
};

type Deps = {
  db: Db;
  users: { findForSignIn(name: string): Promise<{ id: string } | null> };
  passkeys: PasskeysService;
  attempts: AttemptCounter;
  audit: AuditService;
  afterwards: BackgroundTaskRunner;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
};

/** Returns the client details that are stored with a session. */
export const toSessionClient = ({ address, userAgent }: ClientInfo) => ({
  address,
  device: describeDevice(userAgent),
});

/**
 * Makes the browser a known device of the user, records the time of the sign-in, and emails the user if the
 * browser is new. Returns the id for the device cookie.
 */
type RegisterDevice = (tx: Db, user: store.ActiveUser, from: ClientInfo, now: Date) => Promise<string>;

/** Creates the sign-in methods that work once: an emailed link, or a code shown on a signed-in device. */
export function createOneTimeSignInService(deps: Deps, registerDevice: RegisterDevice) {
  const { db, users, passkeys, attempts, audit, afterwards, clock, log, settings } = deps;

  /** @returns false if the user is deleted or disabled */
  async function sendLink(tx: Db, userId: string): Promise<boolean> {
    const user = await store.lockActiveUser(tx, userId);
    if (!user) return false;
    const token = randomBytes(32).toString('base64url');
    const createdAt = clock();
    await store.revokeMatchingTokens(tx, { userId, kind: 'link' });
    await store.insertToken(tx, {
      ...{ kind: 'link', userId, token: hashToken(token), createdAt },
      expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
    });
    await queueMail(tx, composeSignInLinkEmail(user, token, settings));
    return true;
  }

  async function sendLinkToUser(name: string): Promise<void> {
    try {
      const user = await users.findForSignIn(name);
      if (!user) return;
      await db.transaction(async (tx) => {
        await store.lockActiveUser(tx, user.id);
        const since = new Date(clock().getTime() - SIGN_IN_LINK_RATE_LIMIT.windowMs);
        if ((await store.countSignInLinksSince(tx, user.id, since)) < SIGN_IN_LINK_RATE_LIMIT.maxMails)
          await sendLink(tx, user.id);
      });
    } catch (error) {
      log.error({ error }, 'creating a sign-in link failed; its user has to ask again');
    }
  }

  /**
   * Creates a code that signs this user in. Revokes the previous code that the same issuer created for this
   * user.
   */
  async function createCode(userId: string, issuer: Actor, address: string, { isOwn }: { isOwn: boolean }) {
    const now = clock();
    await attempts.record(
      { kind: 'sign-in-code-made', subject: issuer.id, address },
      { since: new Date(now.getTime() - SIGN_IN_CODE_CREATION_RATE_LIMIT.windowMs), now },
      SIGN_IN_CODE_CREATION_RATE_LIMIT.allow,
    );
    const code = Array.from({ length: SIGN_IN_CODE_LENGTH }, () => SIGN_IN_CODE_ALPHABET[randomInt(32)]).join(
      '',
    );
    const token = await hashCode(code, address);
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    const id = await db.transaction(async (tx) => {
      const user = await store.lockActiveUser(tx, userId);
      if (!user) throw createNotFoundError('This user no longer exists');
      if (!isOwn) {
        // A code for a teacher's account can be created only by that teacher.
        if (user.role === 'admin') throw new AppError('forbidden', 'Forbidden');
        await audit.record(tx, issuer, 'sign-in-code-shown', formatDisplayName(user));
      }
      await store.revokeMatchingTokens(tx, { userId, kind: 'code', issuedBy: issuer.id });
      const row = { kind: 'code', userId, issuedBy: issuer.id, token, createdAt: now, expiresAt } as const;
      return store.insertToken(tx, row);
    });
    log.info({ event: 'sign-in-code-made', user: userId, by: issuer.id }, 'a code to sign in was made');
    return { id, code, validSeconds: LIFETIME_MS / 1000 };
  }

  /**
   * Calls `use` with the hashed token. Links are too long to be guessed, so only failed attempts with codes are
   * counted.
   * @param use returns null if the token is not valid
   * @throws AppError 'bad-input' if the token is not valid, 'too-many'
   */
  async function withToken<T>(
    { kind, token }: OneTimeToken,
    { address, signal }: Pick<ClientInfo, 'address' | 'signal'>,
    use: (token: store.HashedToken) => Promise<T | null>,
  ): Promise<T> {
    const now = clock();
    let result: T | null = null;
    if (kind === 'link') {
      result = await use({ kind, token: hashToken(token) });
    } else {
      const code = normalizeSignInCode(token);
      await attempts.attempt(
        { kind: 'sign-in-code', subject: 'any code', address },
        { since: new Date(now.getTime() - SIGN_IN_CODE_GUESS_RATE_LIMIT.windowMs), now },
        (tallies) => SIGN_IN_CODE_GUESS_RATE_LIMIT.admit(tallies, now),
        async () => {
          result = await use({ kind, token: await hashCode(code, address, signal) });
          return result !== null;
        },
        signal,
      );
    }
    if (result !== null) return result;
    log.info(
      { event: 'one-time-sign-in-failed', kind, address: getNarrowestNetwork(address) },
      'a link or code was refused',
    );
    const message = kind === 'link' ? SIGN_IN_LINK_INVALID_MESSAGE : SIGN_IN_CODE_INVALID_MESSAGE;
    throw createBadInputError(message, [{ path: 'token', message }]);
  }

  return {
    /**
     * Emails a link to the user with this name or email address, if there is one. The content and timing of
     * the response don't reveal whether there is such a user, because everything except counting the request
     * happens after the response.
     * @throws AppError 'too-many'; 'conflict' if there is no mail server
     */
    async requestLink(name: string, address: string) {
      if (!settings.mailServer)
        throw createConflictError('Email isn’t set up here, so we can’t send a link.');
      const now = clock();
      const since = new Date(now.getTime() - SIGN_IN_LINK_RATE_LIMIT.windowMs);
      await attempts.record(
        { kind: 'sign-in-link', subject: name, address },
        { since, now },
        SIGN_IN_LINK_RATE_LIMIT.allow,
      );
      log.info(
        { event: 'sign-in-link-requested', address: getNarrowestNetwork(address) },
        'a sign-in link was requested',
      );
      afterwards.add(() => sendLinkToUser(name));
    },

    /**
     * Replaces a link that could not be delivered.
     * @returns false if the user is deleted or disabled
     */
    sendLinkAgain: sendLink,

    /**
     * Returns the user whom a link or code would sign in. The page shows the user's name before signing in,
     * so that nobody can be lured into somebody else's account.
     * @throws AppError 'bad-input' if the link or code is not valid, 'too-many'
     */
    findOwner: (input: OneTimeToken, from: Pick<ClientInfo, 'address' | 'signal'>) =>
      withToken(input, from, (token) => store.findTokenOwner(db, token, clock())),

    /**
     * Signs in with a link or code and uses it up.
     * @throws AppError 'bad-input' if the link or code is unknown, used, void or expired, its user is
     * disabled, or the passkey is invalid; 'forbidden' if the user must also use a passkey, in which case the
     * link or code stays valid; 'too-many'
     */
    async redeem(
      { passkey, ...input }: OneTimeToken & { passkey?: PasskeyAssertion | undefined },
      from: ClientInfo,
    ) {
      const proof = passkey ? await passkeys.prove(passkey) : null;
      const signedIn = await withToken(input, from, (token) =>
        db.transaction(async (tx) => {
          const now = clock();
          const owner = await store.findTokenOwner(tx, token, now);
          const user = owner && (await store.lockActiveUser(tx, owner.id));
          const used = user && (await store.consumeToken(tx, token, now));
          if (!used) return null;
          await passkeys.checkSecondFactor(tx, user, proof);
          const isOthers = used.issuedBy !== null && used.issuedBy !== user.id;
          const codeShownBy = isOthers ? await store.getDisplayName(tx, used.issuedBy!) : null;
          const beginning = { ...toSessionClient(from), isProved: proof !== null, codeShownBy };
          const session = await createSessionStore(tx).start(user.id, beginning, now);
          if (codeShownBy !== null) {
            const { device } = beginning;
            await store.insertCodeSignIn(tx, {
              userId: user.id,
              shownBy: codeShownBy,
              device,
              createdAt: now,
            });
          }
          const device = await registerDevice(tx, user, from, now);
          if (used.issuedBy)
            await announceChange(tx, { to: used.issuedBy, refreshes: ['/api/user/sign-in-codes'] });
          return { user, session, device };
        }),
      );
      const logFields = { user: signedIn.user.id, address: getNarrowestNetwork(from.address) };
      log.info({ event: 'signed-in', ...logFields, by: input.kind }, 'a user signed in');
      return signedIn;
    },

    /** @throws AppError 'too-many' */
    makeOwnCode: (caller: Actor, address: string) => createCode(caller.id, caller, address, { isOwn: true }),

    /**
     * @throws AppError 'not-found', also for a disabled user; 'forbidden' if the user is a teacher; 'too-many'
     */
    makeCodeFor: (userId: string, caller: Actor, address: string) =>
      createCode(userId, caller, address, { isOwn: false }),

    /**
     * Returns the state of a code that the caller has created: 'ended' if it has expired or been revoked.
     * @throws AppError 'not-found'
     */
    async getCodeState(id: number, caller: Actor) {
      const found = await store.findSignInCode(db, id, caller.id);
      if (!found) throw createNotFoundError('This code no longer works');
      if (found.state === 'used') return 'used' as const;
      return found.state === 'open' && found.expiresAt > clock() ? ('open' as const) : ('ended' as const);
    },

    /**
     * Revokes a code that the caller has created, unless it has been used.
     * @throws AppError 'not-found'
     */
    async voidCode(id: number, caller: Actor) {
      if (!(await store.findSignInCode(db, id, caller.id)))
        throw createNotFoundError('This code no longer works');
      await store.revokeMatchingTokens(db, { id });
    },

    /**
     * Deletes links and codes an hour after they expired. The rate limit counts the links of the past hour,
     * including expired ones.
     */
    deleteExpiredTokens: () =>
      store.deleteSignInTokensExpiredBefore(
        db,
        new Date(clock().getTime() - SIGN_IN_LINK_RATE_LIMIT.windowMs),
      ),
  };
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

const hashCode = (code: string, address: string, signal?: AbortSignal) =>
  hashForLookup(code, { account: 'code', address, ...(signal && { signal }) });
