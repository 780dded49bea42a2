import { violates, type Db } from '#server/db/database.ts';
import { conflict, notFound } from '#shared/errors.ts';
import { displayName } from '#shared/display-name.ts';
import { generatePassword, hashPassword } from '#server/auth/passwords.ts';
import type { AuditEntry } from '#features/audit/contract.ts';
import { AT_CONSOLE, auditService } from '#features/audit/server/service.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';
import { countPasskeys, forgetPasskeys, passkeyMail } from '#features/accounts/passkeys/server/service.ts';
import { replacePassword } from '#features/accounts/passwords/server/service.ts';
import * as store from './store.ts';
import { freeUsername, usernameStem } from './usernames.ts';

/** Attempts to find a free username. More people with the same name are never added at once. */
const MOST_TRIES = 20;

/** Credentials for an issued password, which is returned once and stored only as a hash. */
export type Credentials = { username: string; password: string };

/**
 * Creates another teacher.
 * @throws AppError 'conflict' when the email has an account
 */
export async function createAdmin(db: Db, email: string): Promise<Credentials> {
  const password = generatePassword();
  const hashed = await hashPassword(password);
  const stem = usernameStem(email);
  for (let tries = 1; ; tries += 1) {
    try {
      const username = freeUsername(stem, await store.usernamesLike(db, stem));
      const admin = {
        ...{ email, username, firstName: null, lastName: null },
        ...({ password: hashed, role: 'admin', suggestOwnPassword: true } as const),
      };
      await db.transaction(async (tx) => {
        await store.insertUser(tx, admin);
        await record(tx, 'teacher-created', admin);
      });
      return { username, password };
    } catch (error) {
      if (violates(error, 'users_email_unique'))
        throw conflict(`An account with this email already exists: ${email}`);
      // Another request took the username in the meantime: retry.
      if (!violates(error, 'users_username_unique') || tries === MOST_TRIES) throw error;
    }
  }
}

/** Settings that the emails about removed passkeys need. */
export type Place = Parameters<typeof passkeyMail>[3] & Pick<Settings, 'mailServer'>;

/**
 * Gives a teacher a new password and ends all of the teacher's sessions.
 * @param mayRemovePasskeys called if the teacher has passkeys; removing them also turns off the second factor
 * @returns also how many passkeys were removed, and whether the account still requires one
 * @throws AppError 'not-found' for an unknown email, 'conflict' for the account of a student or a disabled
 * teacher
 */
export async function resetAdmin(
  db: Db,
  email: string,
  place: Place,
  mayRemovePasskeys: (count: number) => boolean | Promise<boolean>,
): Promise<Credentials & { removed: number; asksForPasskey: boolean }> {
  const found = await store.findUserByEmail(db, email);
  if (!found) throw notFound(`There is no account with this email: ${email}`);
  if (found.role !== 'admin')
    throw conflict(`This is a student's account: ${email}. This command is for teachers only.`);
  if (!found.isActive)
    throw conflict(`This teacher's account is disabled: ${email}. Another teacher has to enable it.`);
  const count = await countPasskeys(db, found.id);
  const removes = count > 0 && (await mayRemovePasskeys(count));
  const password = generatePassword();
  const hashed = await hashPassword(password);
  const removed = await db.transaction(async (tx) => {
    await replacePassword(tx, found.id, hashed, { isIssued: true });
    await record(tx, 'password-issued', found);
    return removes ? removePasskeysOf(tx, found, place) : 0;
  });
  return {
    ...{ username: found.username, password, removed },
    asksForPasskey: found.asksForPasskey && removed === 0,
  };
}

/**
 * Removes all passkeys of somebody who has lost them, so that they can sign in without.
 * @returns how many passkeys were removed
 * @throws AppError 'not-found' for an unknown email
 */
export async function removePasskeys(db: Db, email: string, place: Place): Promise<number> {
  const found = await store.findUserByEmail(db, email);
  if (!found) throw notFound(`There is no account with this email: ${email}`);
  return db.transaction((tx) => removePasskeysOf(tx, found, place));
}

async function removePasskeysOf(tx: Db, user: Found, place: Place): Promise<number> {
  const count = await forgetPasskeys(tx, user.id);
  if (count === 0) return 0;
  await record(tx, 'passkey-removed', user);
  if (place.mailServer) await queueMail(tx, passkeyMail('passkey-removed', user, new Date(), place));
  return count;
}

type Found = NonNullable<Awaited<ReturnType<typeof store.findUserByEmail>>>;

const record = (tx: Db, action: AuditEntry['action'], subject: Parameters<typeof displayName>[0]) =>
  auditService({ db: tx }).record(tx, AT_CONSOLE, action, displayName(subject));
