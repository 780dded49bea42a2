import type { Db } from '#server/db/database.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { AttemptCounter } from '#server/limits/attempts.ts';
import { isAttemptLimitReached } from '#server/limits/attempt-counts.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { PasskeyAttestation, PasskeyAssertion } from '../contract.ts';
import {
  LAST_PASSKEY_REQUIRED_MESSAGE,
  PASSKEY_REQUIRED_MESSAGE,
  PASSKEY_OF_OTHER_USER_MESSAGE,
  PASSKEY_FAILED_MESSAGE,
  MAX_PASSKEYS,
  TOO_MANY_PASSKEYS_MESSAGE,
} from '../limits.ts';
import { type PasskeyEmailKind, composePasskeyEmail } from './emails.ts';
import * as store from './store.ts';
import {
  PASSKEY_ALGORITHMS,
  CHALLENGE_TIMEOUT_MS,
  readChallenge,
  hashChallenge,
  generateChallenge,
  verifyPasskeyRegistration,
  verifyPasskeyAuthentication,
} from './webauthn.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Maximum number of challenges per hour for an IP address. The limit is high, because everyone at a retreat
 * may share an address.
 */
const MAX_CHALLENGES = 600;

/** Proof that a user has just used a passkey, for {@link PasskeysService.accept}. */
export type PasskeyProof = { userId: string; passkeyId: number; counter: number };

export { composePasskeyEmail } from './emails.ts';
export { countPasskeys } from './store.ts';

export type PasskeysService = ReturnType<typeof createPasskeysService>;

/**
 * Creates the service for passkeys. Passkeys are discoverable, and the device must verify the user at each use.
 */
export function createPasskeysService(deps: {
  db: Db;
  attempts: AttemptCounter;
  audit: AuditService;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
}) {
  const { db, attempts, audit, clock, log, settings } = deps;
  const { publicUrl } = settings;

  async function createChallenge(purpose: 'add' | 'sign-in', address: string, userId: string | null = null) {
    const now = clock();
    await attempts.record(
      { kind: 'passkey-challenge', subject: userId ?? 'anybody', address },
      { since: new Date(now.getTime() - HOUR_MS), now },
      ({ networks }) => {
        if (isAttemptLimitReached(MAX_CHALLENGES, networks))
          throw new AppError('too-many', 'Too many requests. Please try again in an hour.', {
            retryAfter: HOUR_MS / 1000,
          });
      },
    );
    const value = generateChallenge();
    const expiresAt = new Date(now.getTime() + CHALLENGE_TIMEOUT_MS);
    await store.insertChallenge(db, { challenge: hashChallenge(value), purpose, userId, expiresAt });
    return value;
  }

  /**
   * Verifies an authenticator's response. This uses up its challenge, even if the response is invalid.
   * @throws AppError 'bad-input' if the response is invalid
   */
  async function prove(input: PasskeyAssertion): Promise<PasskeyProof> {
    const expectedChallenge = readChallenge(input.response.clientDataJSON);
    const consumed = await store.consumeChallenge(db, hashChallenge(expectedChallenge), clock());
    const storedPasskey =
      consumed?.purpose === 'sign-in' ? await store.findPasskeyByCredential(db, input.id) : null;
    const isOwner = storedPasskey && isHandleOfUser(input.response.userHandle, storedPasskey.userId);
    const use = isOwner
      ? await verifyPasskeyAuthentication(input, expectedChallenge, storedPasskey, publicUrl)
      : null;
    if (!storedPasskey || !use) {
      log.info({ event: 'passkey-refused', user: storedPasskey?.userId }, 'a passkey was refused');
      throw passkeyRejected(PASSKEY_FAILED_MESSAGE);
    }
    return { userId: storedPasskey.userId, passkeyId: storedPasskey.id, counter: use.counter };
  }

  /**
   * Accepts a proof from this user and records the use of the passkey. The transaction must have locked the
   * user's row.
   * @throws AppError 'bad-input' if the proof is another user's, or the passkey has been removed since
   */
  async function accept(tx: Db, userId: string, proof: PasskeyProof): Promise<void> {
    if (proof.userId !== userId) throw passkeyRejected(PASSKEY_OF_OTHER_USER_MESSAGE);
    const { counter } = proof;
    if (!(await store.recordPasskeyUse(tx, proof.passkeyId, { counter, usedAt: clock() })))
      throw passkeyRejected(PASSKEY_FAILED_MESSAGE);
  }

  type Recipient = Parameters<typeof composePasskeyEmail>[1];

  /**
   * Emails the user about a change to their passkeys. Does nothing without a mail server, because a teacher
   * would have to pass on each email by hand.
   */
  async function sendNotice(tx: Db, kind: PasskeyEmailKind, user: Recipient) {
    if (settings.mailServer) await queueMail(tx, composePasskeyEmail(kind, user, clock(), settings));
  }

  async function sendAgain(tx: Db, kind: PasskeyEmailKind, userId: string, at: Date) {
    const user = await store.lockActiveUser(tx, userId);
    if (user) await queueMail(tx, composePasskeyEmail(kind, user, at, settings));
    return user !== null;
  }

  return {
    /**
     * Returns a challenge for signing in with any passkey.
     * @throws AppError 'too-many'
     */
    async createSignInChallenge(address: string) {
      return {
        challenge: await createChallenge('sign-in', address),
        rpId: publicUrl.hostname,
        timeout: CHALLENGE_TIMEOUT_MS,
        userVerification: 'required' as const,
      };
    },

    prove,
    accept,

    /**
     * Requires a valid passkey from a user with a second factor. Other users may omit it. The transaction must
     * have locked the user's row.
     * @throws AppError 'forbidden' if a required passkey is missing, 'bad-input' if it is invalid; both with an
     * issue about 'passkey'
     */
    async checkSecondFactor(
      tx: Db,
      user: { id: string; asksForPasskey: boolean },
      proof: PasskeyProof | null,
    ): Promise<void> {
      if (proof) await accept(tx, user.id, proof);
      else if (user.asksForPasskey) throw passkeyRequired();
    },

    list: (caller: Caller) => store.listPasskeys(db, caller.id),

    /** @throws AppError 'conflict' if the caller has the maximum number of passkeys; 'too-many' */
    async beginAdding(caller: Caller, address: string) {
      const existing = await store.listCredentials(db, caller.id);
      if (existing.length >= MAX_PASSKEYS) throw createConflictError(TOO_MANY_PASSKEYS_MESSAGE);
      return {
        challenge: await createChallenge('add', address, caller.id),
        rp: { id: publicUrl.hostname, name: settings.appName },
        user: {
          id: Buffer.from(caller.id).toString('base64url'),
          name: caller.username,
          displayName: formatDisplayName(caller),
        },
        pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
        timeout: CHALLENGE_TIMEOUT_MS,
        attestation: 'none' as const,
        excludeCredentials: existing.map((each) => ({ ...each, type: 'public-key' as const })),
        authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
      };
    },

    /**
     * @throws AppError 'bad-input' if the passkey doesn't match a challenge of the caller; 'conflict' if it is
     * already registered or the caller has the maximum number
     */
    async add(caller: Caller, name: string, input: PasskeyAttestation) {
      const expectedChallenge = readChallenge(input.response.clientDataJSON);
      const consumed = await store.consumeChallenge(db, hashChallenge(expectedChallenge), clock());
      const isOurs = consumed?.purpose === 'add' && consumed.userId === caller.id;
      const verified = isOurs ? await verifyPasskeyRegistration(input, expectedChallenge, publicUrl) : null;
      if (!verified) throw passkeyRejected(PASSKEY_FAILED_MESSAGE);
      return db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, caller.id);
        if (!user) throw new AppError('unauthorized', 'Unauthorized');
        if ((await store.countPasskeys(tx, user.id)) >= MAX_PASSKEYS)
          throw createConflictError(TOO_MANY_PASSKEYS_MESSAGE);
        const added = await store.insertPasskey(tx, {
          ...verified,
          ...{ userId: user.id, name, createdAt: clock() },
          transports: input.response.transports ?? [],
        });
        if (!added) throw createConflictError('This passkey has already been added.');
        await store.updatePasskeySettings(tx, user.id, { suggestPasskey: false });
        await audit.record(tx, caller, 'passkey-added', formatDisplayName(user), name);
        await sendNotice(tx, 'passkey-added', user);
        return added;
      });
    },

    /** @throws AppError 'not-found' */
    async rename(caller: Caller, id: number, name: string) {
      const renamed = await store.renamePasskey(db, id, caller.id, name);
      if (!renamed) throw passkeyNotFound();
      return renamed;
    },

    /** @throws AppError 'not-found'; 'conflict' for the last passkey of a caller with a second factor */
    remove: (caller: Caller, id: number) =>
      db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, caller.id);
        const removed = user && (await store.deletePasskey(tx, id, user.id));
        if (!removed) throw passkeyNotFound();
        if (user.asksForPasskey && (await store.countPasskeys(tx, user.id)) === 0)
          throw createConflictError(LAST_PASSKEY_REQUIRED_MESSAGE);
        await audit.record(tx, caller, 'passkey-removed', formatDisplayName(user), removed.name);
        await sendNotice(tx, 'passkey-removed', user);
      }),

    /**
     * Removes all passkeys of a student, if there are any.
     * @throws AppError 'not-found', 'forbidden' for a teacher
     */
    removeAllOf: (userId: string, actor: Caller) =>
      db.transaction(async (tx) => {
        const user = await store.lockUser(tx, userId);
        if (!user) throw createNotFoundError('This user no longer exists');
        if (user.role === 'admin') throw new AppError('forbidden', 'Forbidden');
        if ((await store.deletePasskeysOfUser(tx, userId)) === 0) return;
        await audit.record(tx, actor, 'passkey-removed', formatDisplayName(user));
        await sendNotice(tx, 'passkey-removed', user);
      }),

    /**
     * Turns a teacher's second factor on or off. Requires a passkey, because somebody with only a stolen
     * session must not be able to turn it off.
     * @throws AppError 'bad-input' if the passkey is invalid
     */
    async setSecondFactor(caller: Caller, isOn: boolean, input: PasskeyAssertion) {
      const proof = await prove(input);
      await db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, caller.id);
        if (!user) throw new AppError('unauthorized', 'Unauthorized');
        await accept(tx, user.id, proof);
        if (user.asksForPasskey === isOn) return;
        await store.updatePasskeySettings(tx, user.id, { asksForPasskey: isOn });
        const change = isOn ? 'passkey-asked-for' : 'passkey-not-asked-for';
        await audit.record(tx, caller, change, formatDisplayName(user));
        await sendNotice(tx, change, user);
      });
    },

    /** Dismisses the passkey suggestion permanently. */
    dismissSuggestion: (caller: Caller) =>
      store.updatePasskeySettings(db, caller.id, { suggestPasskey: false }),

    /**
     * Resends an email about a change to the passkeys, with the time of the change.
     * @returns false if the user is deleted or disabled
     */
    sendAgain,

    deleteExpiredChallenges: () => store.deleteChallengesExpiredBefore(db, clock()),
  };
}

/**
 * Removes all passkeys of a user and turns off the second factor. For users who have lost their passkeys.
 * @returns the number of removed passkeys
 */
export async function removeAllPasskeys(tx: Db, userId: string): Promise<number> {
  await store.lockUser(tx, userId);
  await store.updatePasskeySettings(tx, userId, { asksForPasskey: false });
  return store.deletePasskeysOfUser(tx, userId);
}

const passkeyNotFound = () => createNotFoundError('This passkey has already been removed');

const passkeyRejected = (message: string) => createBadInputError(message, [{ path: 'passkey', message }]);

const passkeyRequired = () =>
  new AppError('forbidden', PASSKEY_REQUIRED_MESSAGE, {
    issues: [{ path: 'passkey', message: PASSKEY_REQUIRED_MESSAGE }],
  });

/**
 * Returns whether the user handle in a response belongs to the user or is absent. Authenticators may omit the
 * handle if the request named a particular passkey.
 */
const isHandleOfUser = (handle: string | undefined, userId: string) =>
  handle === undefined || Buffer.from(handle, 'base64url').toString('utf8') === userId;
