import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/database.ts';
import { AppError } from '../../../platform/contract/errors.ts';
import type { Attempts } from '../../../platform/server/attempts.ts';
import type { Clock } from '../../../platform/server/clock.ts';
import { passwordMatches } from '../../../platform/server/passwords.ts';
import type { Sessions } from '../../../platform/server/sessions.ts';
import type { UsersService } from '../../users/server/service.ts';
import { admitKnownDevice, admitStranger, GUESSING_WINDOW_MS } from './guessing.ts';
import * as store from './store.ts';

const DEVICE_DAYS = 365;

export type SignInService = ReturnType<typeof signInService>;

export function signInService(deps: {
  db: Db;
  users: UsersService;
  sessions: Sessions;
  attempts: Attempts;
  clock: Clock;
}) {
  const { db, users, sessions, attempts, clock } = deps;

  const isKnownDevice = async (userId: string, device: string | undefined) =>
    device !== undefined && (await store.isKnownDevice(db, userId, device));

  return {
    /** Whether the user has signed in on this device before. */
    isKnownDevice,

    /**
     * A wrong name and a wrong password fail alike, in the same time.
     * @param from the client's address, and the id of its device if it has one
     * @returns the user, and the ids for the session's and the device's cookie
     * @throws AppError 'unauthorized', 'forbidden' (disabled, with the right password) or 'too-many'
     */
    async signIn(name: string, password: string, from: { address: string; device: string | undefined }) {
      const now = clock();
      const found = await users.findForSignIn(name);
      // Asked for nobody too, so that it takes as long.
      const isKnown = await isKnownDevice(found?.id ?? '', from.device);
      const since = new Date(now.getTime() - GUESSING_WINDOW_MS);
      // A name is counted as it was typed, not by person: else one's limit would tell which email belongs to a username.
      const tried = isKnown
        ? { kind: 'known-device' as const, subject: `${found!.id} ${from.device}`, address: from.address }
        : { kind: 'sign-in' as const, subject: name, address: from.address };
      const matches = await attempts.attempt(
        tried,
        { since, now },
        (tallies) => (isKnown ? admitKnownDevice(tallies) : admitStranger(tallies, now)),
        () => passwordMatches(password, found?.password ?? null),
      );
      if (!found || !matches) throw wrong();
      if (!found.isActive) {
        throw new AppError('forbidden', 'This account has been disabled. Please contact your teacher.');
      }
      const session = await sessions.startIfUnchanged(found, now);
      if (session === null) throw wrong();
      const isOurs = from.device !== undefined && (await store.isOurDevice(db, from.device));
      const device = isOurs ? from.device! : randomBytes(16).toString('base64url');
      await store.rememberDevice(db, found.id, device, now);
      return { user: found, session, device };
    },

    signOut: (session: string) => sessions.end(session),

    /** Forgets devices that have not signed in for a year. */
    forgetOldDevices: () =>
      store.forgetDevicesBefore(db, new Date(clock().getTime() - DEVICE_DAYS * 24 * 60 * 60 * 1000)),
  };
}

const wrong = () => new AppError('unauthorized', 'Invalid username or password');
