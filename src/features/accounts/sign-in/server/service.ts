import { randomBytes } from 'node:crypto';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#shared/errors.ts';
import type { AttemptCounter } from '#server/limits/attempts.ts';
import type { BackgroundTaskRunner } from '#server/jobs/background-tasks.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import { queueMail } from '#server/mail/queue.ts';
import { getNarrowestNetwork, getWidestNetwork } from '#server/limits/network.ts';
import { verifyPassword } from '#server/auth/passwords.ts';
import { createSessionStore, type SessionManager, type UserRecord } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import { createKeyedLimiter } from '#server/concurrency/concurrency-limiter.ts';
import type { PasskeyAssertion } from '#features/accounts/passkeys/contract.ts';
import type { PasskeysService } from '#features/accounts/passkeys/server/service.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import { ISSUED_PASSWORD_EXPIRED_MESSAGE, isIssuedPasswordExpired } from '#features/accounts/limits.ts';
import { describeDevice } from './describe-device.ts';
import { composeNewDeviceEmail } from './emails.ts';
import { admitKnownDevice, admitUnknownDevice, GUESSING_WINDOW_MS } from './rate-limits.ts';
import { createOneTimeSignInService, toSessionClient, type ClientInfo } from './one-time-sign-in.ts';
import * as store from './store.ts';

const DEVICE_DAYS = 365;

/** Minimum time between emails about new devices, for users who clear their cookies after each visit. */
const MAIL_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Limits on looking up users, per network, so that many sign-ins from one network don't delay those from
 * others.
 */
const LOOKUP_LIMITS = { maxConcurrent: 2, maxQueued: 500, maxWaitMs: 30_000 };

/**
 * The methods of the users service that are needed here. Declared here because that service depends on this
 * one, through the passwords service.
 */
type Users = {
  findForSignIn(name: string): Promise<(UserRecord & { password: string }) | null>;
  findActive(tx: Db, userId: string): Promise<UserRecord | null>;
};

export type SignInService = ReturnType<typeof createSignInService>;

export function createSignInService(deps: {
  db: Db;
  users: Users;
  passkeys: PasskeysService;
  sessions: SessionManager;
  attempts: AttemptCounter;
  audit: AuditService;
  afterwards: BackgroundTaskRunner;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
}) {
  const { db, users, passkeys, sessions, attempts, clock, log, settings } = deps;

  const limitLookups = createKeyedLimiter(LOOKUP_LIMITS);

  const isKnownDevice = async (tx: Db, userId: string, device: string | undefined) =>
    device !== undefined && (await store.isKnownDevice(tx, userId, device));

  type User = Parameters<typeof composeNewDeviceEmail>[0];

  /**
   * Emails the user about a sign-in on a new device, at most once per MAIL_INTERVAL_MS. Sends nothing for the
   * very first device, because the credentials have just been sent. Also sends nothing without a mail server,
   * because a teacher would have to pass on each email by hand.
   */
  async function announceNewDevice(tx: Db, user: User, userAgent: string | undefined, now: Date) {
    if (!settings.mailServer || !(await store.hasKnownDevice(tx, user.id))) return;
    if (await store.wasNewDeviceEmailQueuedSince(tx, user.id, new Date(now.getTime() - MAIL_INTERVAL_MS)))
      return;
    await queueMail(tx, composeNewDeviceEmail(user, describeDevice(userAgent), now, settings));
  }

  /**
   * Makes the browser a known device of the user, records the time of the sign-in, and emails the user if the
   * browser is new.
   * @returns the id for the device cookie
   */
  async function registerDevice(tx: Db, user: User, from: ClientInfo, now: Date): Promise<string> {
    if (!(await isKnownDevice(tx, user.id, from.device)))
      await announceNewDevice(tx, user, from.userAgent, now);
    const device = await rememberDevice(tx, user.id, from.device, now);
    await store.recordSignIn(tx, user.id, now);
    return device;
  }

  return {
    /** Returns whether the user has signed in on this device before. */
    isKnownDevice: (userId: string, device: string | undefined) => isKnownDevice(db, userId, device),

    ...createOneTimeSignInService(deps, registerDevice),

    /**
     * Signs in with name and password. A wrong name and a wrong password get the same response after the same
     * time.
     * @param from the client's IP address, device id (if there is one) and user agent, and a signal that is
     *   aborted when the client disconnects
     * @returns the user, and the ids for the session cookie and the device cookie
     * @throws AppError 'unauthorized'; 'forbidden' if the password is right but the user is disabled, the
     *   password has expired, or a passkey is missing; 'bad-input' if the passkey is invalid; 'too-many'
     *   after too many failures or while too many sign-ins are waiting; 'unavailable' if the queue for
     *   hashing passwords is full
     */
    async signIn(
      {
        username: name,
        password,
        passkey,
      }: { username: string; password: string; passkey?: PasskeyAssertion | undefined },
      from: ClientInfo,
    ) {
      const now = clock();
      const { found, isKnown } = await limitLookups(
        getWidestNetwork(from.address),
        async () => {
          const found = await users.findForSignIn(name);
          // Looks up the device even for an unknown name, so that the response takes the same time.
          return { found, isKnown: await isKnownDevice(db, found?.id ?? '', from.device) };
        },
        from.signal,
      );
      const since = new Date(now.getTime() - GUESSING_WINDOW_MS);
      // Attempts are counted per typed name, not per user. Otherwise the limit would reveal which email belongs
      // to a username.
      const attempt = isKnown
        ? { kind: 'known-device' as const, subject: `${found!.id} ${from.device}`, address: from.address }
        : { kind: 'sign-in' as const, subject: name, address: from.address };
      const matches = await attempts.attempt(
        attempt,
        { since, now },
        (tallies) => (isKnown ? admitKnownDevice(tallies) : admitUnknownDevice(tallies, now)),
        () =>
          verifyPassword(password, found?.password ?? null, {
            account: name,
            address: from.address,
            signal: from.signal,
          }),
        from.signal,
      );
      const logFields = { user: found?.id, address: getNarrowestNetwork(from.address) };
      if (!found || !matches) {
        // The name is not logged, because people sometimes type their password in that field.
        log.info({ event: 'sign-in-failed', ...logFields }, 'a sign-in failed');
        throw wrongCredentials();
      }
      if (!found.isActive) {
        log.info({ event: 'sign-in-disabled', ...logFields }, 'a disabled user tried to sign in');
        throw accountDisabled();
      }
      // Rejects an issued password that has expired. Only students' passwords expire, because any teacher can
      // issue them a new one. A teacher's password can only be issued on the command line.
      if (isIssuedPasswordExpired(found.passwordIssuedAt, now)) {
        log.info(
          { event: 'sign-in-password-expired', ...logFields },
          'a user gave a password that has expired',
        );
        throw new AppError('forbidden', ISSUED_PASSWORD_EXPIRED_MESSAGE);
      }
      const proof = passkey ? await passkeys.prove(passkey) : null;
      const signedIn = await db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, found.id);
        if (!user) throw wrongCredentials();
        await passkeys.checkSecondFactor(tx, user, proof);
        const session = await createSessionStore(tx).startIfUnchanged(found, toSessionClient(from), now);
        if (session === null) throw wrongCredentials();
        if (found.passwordIssuedAt !== null) await store.markIssuedPasswordUsed(tx, found.id);
        return { user: found, session, device: await registerDevice(tx, found, from, now) };
      });
      log.info({ event: 'signed-in', ...logFields, isKnownDevice: isKnown }, 'a user signed in');
      return signedIn;
    },

    /**
     * Signs in with only a passkey. This already proves two factors: the user has the device, and the device
     * has verified the user.
     * @throws AppError 'bad-input' if the passkey is invalid, 'forbidden' if its user is disabled
     */
    async signInByPasskey(passkey: PasskeyAssertion, from: ClientInfo) {
      const now = clock();
      const proof = await passkeys.prove(passkey);
      const signedIn = await db.transaction(async (tx) => {
        const user = await store.lockActiveUser(tx, proof.userId);
        if (!user) throw accountDisabled();
        await passkeys.accept(tx, user.id, proof);
        const session = await createSessionStore(tx).start(
          user.id,
          { ...toSessionClient(from), isProved: true },
          now,
        );
        return { user, session, device: await registerDevice(tx, user, from, now) };
      });
      const logFields = { user: signedIn.user.id, address: getNarrowestNetwork(from.address) };
      log.info({ event: 'signed-in', ...logFields, by: 'passkey' }, 'a user signed in');
      return signedIn;
    },

    /**
     * Resends the email about a new device, with the time of the sign-in.
     * @returns false if the user is deleted or disabled
     */
    async resendNewDeviceEmail(tx: Db, userId: string, at: Date) {
      const user = await users.findActive(tx, userId);
      if (user) await queueMail(tx, composeNewDeviceEmail(user, null, at, settings));
      return user !== null;
    },

    signOut: (session: string) => sessions.end(session),

    listCodeSignIns: (userId: string) => store.listCodeSignIns(db, userId),

    /**
     * Deletes devices on which nobody has signed in for a year, and records of sign-ins with a teacher's code
     * that are older than a year.
     */
    async deleteOldDevices() {
      const aYearAgo = new Date(clock().getTime() - DEVICE_DAYS * 24 * 60 * 60 * 1000);
      await store.deleteKnownDevicesLastSeenBefore(db, aYearAgo);
      await store.deleteCodeSignInsBefore(db, aYearAgo);
    },
  };
}

/**
 * Makes a browser a known device of the user. Other people's guesses can't block sign-ins on a known device.
 * @param device the id in the device cookie; an id that we did not issue is replaced
 * @returns the id for the device cookie
 */
export async function rememberDevice(tx: Db, userId: string, device: string | undefined, now: Date) {
  const isOurs = device !== undefined && (await store.isIssuedDeviceId(tx, device));
  const id = isOurs ? device : randomBytes(16).toString('base64url');
  await store.upsertKnownDevice(tx, userId, id, now);
  return id;
}

/**
 * Revokes the links and codes that sign this user in, and the codes that this user created for others. The
 * transaction must have locked the user's row.
 */
export const revokeSignInTokens = (tx: Db, userId: string) => store.revokeTokensOwnedOrIssuedBy(tx, userId);

const accountDisabled = () =>
  new AppError('forbidden', 'This account has been disabled. Please contact your teacher.');

const wrongCredentials = () => new AppError('unauthorized', 'Invalid username or password');
