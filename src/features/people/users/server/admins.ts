import { isConstraintViolationOf, type Db } from '#server/db/database.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { generatePassword, hashPassword } from '#server/auth/passwords.ts';
import type { AuditEntry } from '#features/audit/contract.ts';
import { CONSOLE_ACTOR, createAuditService } from '#features/audit/server/service.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';
import {
  countPasskeys,
  removeAllPasskeys,
  composePasskeyEmail,
} from '#features/accounts/passkeys/server/service.ts';
import { replacePassword } from '#features/accounts/passwords/server/service.ts';
import * as store from './store.ts';
import { pickFreeUsername, toUsernameStem } from './usernames.ts';

/**
 * Maximum attempts to find a free username. An attempt fails only if a concurrent request takes the same
 * name, so this many failures in a row would be a bug.
 */
const MAX_ATTEMPTS = 20;

/** Username and issued password of a teacher. The password is returned once and stored only as a hash. */
export type AdminCredentials = { username: string; password: string };

/** Creates another teacher. @throws AppError 'conflict' if the email has an account */
export async function createAdmin(db: Db, email: string): Promise<AdminCredentials> {
  const password = generatePassword();
  const hashed = await hashPassword(password);
  const stem = toUsernameStem(email);
  for (let tries = 1; ; tries += 1) {
    try {
      const username = pickFreeUsername(stem, await store.listUsernamesStartingWith(db, stem));
      const admin = {
        ...{ email, username, firstName: null, lastName: null },
        ...({ password: hashed, role: 'admin', suggestOwnPassword: true } as const),
      };
      await db.transaction(async (tx) => {
        await store.insertUser(tx, admin);
        await recordAtConsole(tx, 'teacher-created', admin);
      });
      return { username, password };
    } catch (error) {
      if (isConstraintViolationOf(error, 'users_email_unique'))
        throw createConflictError(`An account with this email already exists: ${email}`);
      // Another request took the username in the meantime: retry.
      if (!isConstraintViolationOf(error, 'users_username_unique') || tries === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Settings that the emails about removed passkeys need. */
export type PasskeyEmailSettings = Parameters<typeof composePasskeyEmail>[3] & Pick<Settings, 'mailServer'>;

/**
 * Gives a teacher a new password and ends all of the teacher's sessions.
 * @param mayRemovePasskeys called with the number of passkeys, if there are any; returns whether to remove
 *   them, which also turns off the second factor
 * @returns the credentials, how many passkeys were removed, and whether the account still requires a passkey
 * @throws AppError 'not-found' for an unknown email, 'conflict' for the account of a student or a disabled
 *   teacher
 */
export async function resetAdminPassword(
  db: Db,
  email: string,
  place: PasskeyEmailSettings,
  mayRemovePasskeys: (count: number) => boolean | Promise<boolean>,
): Promise<AdminCredentials & { removed: number; asksForPasskey: boolean }> {
  const found = await store.findUserByEmail(db, email);
  if (!found) throw createNotFoundError(`There is no account with this email: ${email}`);
  if (found.role !== 'admin')
    throw createConflictError(`This is a student's account: ${email}. This command is for teachers only.`);
  if (!found.isActive)
    throw createConflictError(
      `This teacher's account is disabled: ${email}. Another teacher has to enable it.`,
    );
  const count = await countPasskeys(db, found.id);
  const removes = count > 0 && (await mayRemovePasskeys(count));
  const password = generatePassword();
  const hashed = await hashPassword(password);
  const removed = await db.transaction(async (tx) => {
    await replacePassword(tx, found.id, hashed, { isIssued: true });
    await recordAtConsole(tx, 'password-issued', found);
    return removes ? removePasskeysOfUser(tx, found, place) : 0;
  });
  return {
    ...{ username: found.username, password, removed },
    asksForPasskey: found.asksForPasskey && removed === 0,
  };
}

/**
 * Removes all passkeys of somebody who has lost them, so that they can sign in with a password. Emails them
 * about it if there is a mail server.
 * @returns how many passkeys were removed
 * @throws AppError 'not-found' for an unknown email
 */
export async function removePasskeysByEmail(
  db: Db,
  email: string,
  place: PasskeyEmailSettings,
): Promise<number> {
  const found = await store.findUserByEmail(db, email);
  if (!found) throw createNotFoundError(`There is no account with this email: ${email}`);
  return db.transaction((tx) => removePasskeysOfUser(tx, found, place));
}

async function removePasskeysOfUser(tx: Db, user: FoundUser, place: PasskeyEmailSettings): Promise<number> {
  const count = await removeAllPasskeys(tx, user.id);
  if (count === 0) return 0;
  await recordAtConsole(tx, 'passkey-removed', user);
  if (place.mailServer) await queueMail(tx, composePasskeyEmail('passkey-removed', user, new Date(), place));
  return count;
}

type FoundUser = NonNullable<Awaited<ReturnType<typeof store.findUserByEmail>>>;

const recordAtConsole = (
  tx: Db,
  action: AuditEntry['action'],
  subject: Parameters<typeof formatDisplayName>[0],
) => createAuditService({ db: tx }).record(tx, CONSOLE_ACTOR, action, formatDisplayName(subject));
