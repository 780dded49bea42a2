import type { Db } from '#server/db/database.ts';
import { displayName } from '#shared/display-name.ts';
import { AppError, badInput, conflict, notFound } from '#shared/errors.ts';
import type { Attempts } from '#server/limits/attempts.ts';
import { isUsedUp } from '#server/limits/tallies.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { NewPasskey, PasskeyAnswer } from '../contract.ts';
import {
  LAST_ONE_ASKED_FOR,
  PASSKEY_ASKED_FOR,
  PASSKEY_OF_ANOTHER,
  PASSKEY_REFUSED,
  PASSKEYS_MAX,
  TOO_MANY_PASSKEYS,
} from '../limits.ts';
import { type PasskeyMail, passkeyMail } from './emails.ts';
import * as store from './store.ts';
import {
  ALGORITHMS,
  CHALLENGE_MS,
  challengeIn,
  hashed,
  newChallenge,
  verifiedNew,
  verifiedUse,
} from './webauthn.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Maximum challenges per hour for an address. Everybody at a retreat may share one. */
const MOST_CHALLENGES = 600;

/** Proof that a user has just used a passkey, for {@link PasskeysService.accept}. */
export type Proof = { userId: string; passkeyId: number; counter: number };

export { passkeyMail } from './emails.ts';
export { countPasskeys } from './store.ts';

export type PasskeysService = ReturnType<typeof passkeysService>;

/** Manages passkeys. They are discoverable, and their owner has to be verified by the device at each use. */
export function passkeysService(deps: {
  db: Db;
  attempts: Attempts;
  audit: AuditService;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
}) {
  const { db, attempts, audit, clock, log, settings } = deps;
  const { publicUrl } = settings;

  async function challenge(purpose: 'add' | 'sign-in', address: string, userId: string | null = null) {
    const now = clock();
    await attempts.record(
      { kind: 'passkey-challenge', subject: userId ?? 'anybody', address },
      { since: new Date(now.getTime() - HOUR_MS), now },
      ({ networks }) => {
        if (isUsedUp(MOST_CHALLENGES, networks))
          throw new AppError('too-many', 'Too many requests. Please try again in an hour.', {
            retryAfter: HOUR_MS / 1000,
          });
      },
    );
    const made = newChallenge();
    const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
    await store.insertChallenge(db, { challenge: hashed(made), purpose, userId, expiresAt });
    return made;
  }

  /**
   * Verifies an authenticator's answer. Its challenge is used up, even if the answer is wrong.
   * @throws AppError 'bad-input' when it proves nothing
   */
  async function prove(given: PasskeyAnswer): Promise<Proof> {
    const challenged = challengeIn(given.response.clientDataJSON);
    const taken = await store.takeChallenge(db, hashed(challenged), clock());
    const known = taken?.purpose === 'sign-in' ? await store.findByCredential(db, given.id) : null;
    const isOf = known && isHandleOf(given.response.userHandle, known.userId);
    const use = isOf ? await verifiedUse(given, challenged, known, publicUrl) : null;
    if (!known || !use) {
      log.info({ event: 'passkey-refused', user: known?.userId }, 'a passkey was refused');
      throw refused(PASSKEY_REFUSED);
    }
    return { userId: known.userId, passkeyId: known.id, counter: use.counter };
  }

  /**
   * Accepts a proof from this user, whose row the transaction has locked.
   * @throws AppError 'bad-input' for a proof of another user, or of a passkey that has since been removed
   */
  async function accept(tx: Db, userId: string, proof: Proof): Promise<void> {
    if (proof.userId !== userId) throw refused(PASSKEY_OF_ANOTHER);
    const { counter } = proof;
    if (!(await store.noteUse(tx, proof.passkeyId, { counter, usedAt: clock() })))
      throw refused(PASSKEY_REFUSED);
  }

  type Told = Parameters<typeof passkeyMail>[1];

  /**
   * Mails the user about a change. Skipped without a mail server, because a teacher would have to pass each
   * mail on by hand.
   */
  async function tell(tx: Db, kind: PasskeyMail, user: Told) {
    if (settings.mailServer) await queueMail(tx, passkeyMail(kind, user, clock(), settings));
  }

  async function sendAgain(tx: Db, kind: PasskeyMail, userId: string, at: Date) {
    const user = await store.lockActiveUser(tx, userId);
    if (user) await queueMail(tx, passkeyMail(kind, user, at, settings));
    return user !== null;
  }

  return {
    /**
     * Returns a challenge for signing in with any passkey.
     * @throws AppError 'too-many'
     */
    async challenge(address: string) {
      return {
        challenge: await challenge('sign-in', address),
        rpId: publicUrl.hostname,
        timeout: CHALLENGE_MS,
        userVerification: 'required' as const,
      };
    },

    prove,
    accept,

    /**
     * Accepts users without a second factor, and others with a proof of their passkey. The transaction has
     * locked the user's row.
     * @throws AppError 'forbidden' for a missing passkey, 'bad-input' for a wrong one; both with an issue
     * about 'passkey'
     */
    async checkSecondFactor(
      tx: Db,
      user: { id: string; asksForPasskey: boolean },
      proof: Proof | null,
    ): Promise<void> {
      if (proof) await accept(tx, user.id, proof);
      else if (user.asksForPasskey) throw askedFor();
    },

    list: (caller: Caller) => store.listPasskeys(db, caller.id),

    /** @throws AppError 'conflict' when there are too many, 'too-many' */
    async beginAdding(caller: Caller, address: string) {
      const present = await store.listCredentials(db, caller.id);
      if (present.length >= PASSKEYS_MAX) throw conflict(TOO_MANY_PASSKEYS);
      return {
        challenge: await challenge('add', address, caller.id),
        rp: { id: publicUrl.hostname, name: settings.appName },
        user: {
          id: Buffer.from(caller.id).toString('base64url'),
          name: caller.username,
          displayName: displayName(caller),
        },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
        timeout: CHALLENGE_MS,
        attestation: 'none' as const,
        excludeCredentials: present.map((each) => ({ ...each, type: 'public-key' as const })),
        authenticatorSelection: { residentKey: 'required' as const, userVerification: 'required' as const },
      };
    },

    /** @throws AppError 'bad-input' when it answers no challenge of the caller's, 'conflict' */
    async add(caller: Caller, name: string, given: NewPasskey) {
      const challenged = challengeIn(given.response.clientDataJSON);
      const taken = await store.takeChallenge(db, hashed(challenged), clock());
      const isOurs = taken?.purpose === 'add' && taken.userId === caller.id;
      const verified = isOurs ? await verifiedNew(given, challenged, publicUrl) : null;
      if (!verified) throw refused(PASSKEY_REFUSED);
      return db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, caller.id);
        if (!user) throw new AppError('unauthorized', 'Unauthorized');
        if ((await store.countPasskeys(tx, user.id)) >= PASSKEYS_MAX) throw conflict(TOO_MANY_PASSKEYS);
        const added = await store.insertPasskey(tx, {
          ...verified,
          ...{ userId: user.id, name, createdAt: clock() },
          transports: given.response.transports ?? [],
        });
        if (!added) throw conflict('This passkey has already been added.');
        await store.updateUser(tx, user.id, { suggestPasskey: false });
        await audit.record(tx, caller, 'passkey-added', displayName(user), name);
        await tell(tx, 'passkey-added', user);
        return added;
      });
    },

    /** @throws AppError 'not-found' */
    async rename(caller: Caller, id: number, name: string) {
      const renamed = await store.renamePasskey(db, id, caller.id, name);
      if (!renamed) throw noSuchPasskey();
      return renamed;
    },

    /** @throws AppError 'not-found'; 'conflict' for the last passkey of a caller with a second factor */
    remove: (caller: Caller, id: number) =>
      db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, caller.id);
        const gone = user && (await store.deletePasskey(tx, id, user.id));
        if (!gone) throw noSuchPasskey();
        if (user.asksForPasskey && (await store.countPasskeys(tx, user.id)) === 0)
          throw conflict(LAST_ONE_ASKED_FOR);
        await audit.record(tx, caller, 'passkey-removed', displayName(user), gone.name);
        await tell(tx, 'passkey-removed', user);
      }),

    /**
     * Removes all passkeys of a student; does nothing if there aren't any.
     * @throws AppError 'not-found', 'forbidden' for a teacher
     */
    removeAllOf: (userId: string, actor: Caller) =>
      db.transaction(async (tx) => {
        const user = await store.lockUser(tx, userId);
        if (!user) throw notFound('This user no longer exists');
        if (user.role === 'admin') throw new AppError('forbidden', 'Forbidden');
        if ((await store.deletePasskeysOf(tx, userId)) === 0) return;
        await audit.record(tx, actor, 'passkey-removed', displayName(user));
        await tell(tx, 'passkey-removed', user);
      }),

    /**
     * Turns a teacher's second factor on or off. Both need a passkey, because a session alone must not be
     * able to turn it off.
     * @throws AppError 'bad-input'
     */
    async askAfterPassword(caller: Caller, isOn: boolean, given: PasskeyAnswer) {
      const proof = await prove(given);
      await db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, caller.id);
        if (!user) throw new AppError('unauthorized', 'Unauthorized');
        await accept(tx, user.id, proof);
        if (user.asksForPasskey === isOn) return;
        await store.updateUser(tx, user.id, { asksForPasskey: isOn });
        const change = isOn ? 'passkey-asked-for' : 'passkey-not-asked-for';
        await audit.record(tx, caller, change, displayName(user));
        await tell(tx, change, user);
      });
    },

    /** Dismisses the suggestion for good. */
    dismissSuggestion: (caller: Caller) => store.updateUser(db, caller.id, { suggestPasskey: false }),

    /**
     * Sends a mail about a change again, with the original time.
     * @returns false if the user is deleted or disabled
     */
    sendAgain,

    forgetOldChallenges: () => store.forgetChallengesBefore(db, clock()),
  };
}

/**
 * Removes all passkeys of a user and turns off the second factor, for users who have lost their passkeys.
 * @returns how many were removed
 */
export async function forgetPasskeys(tx: Db, userId: string): Promise<number> {
  await store.lockUser(tx, userId);
  await store.updateUser(tx, userId, { asksForPasskey: false });
  return store.deletePasskeysOf(tx, userId);
}

const noSuchPasskey = () => notFound('This passkey has already been removed');

const refused = (message: string) => badInput(message, [{ path: 'passkey', message }]);

const askedFor = () =>
  new AppError('forbidden', PASSKEY_ASKED_FOR, { issues: [{ path: 'passkey', message: PASSKEY_ASKED_FOR }] });

/**
 * Returns whether the user handle is the user's. It is absent if the authenticator was asked for a particular
 * passkey.
 */
const isHandleOf = (handle: string | undefined, userId: string) =>
  handle === undefined || Buffer.from(handle, 'base64url').toString('utf8') === userId;
