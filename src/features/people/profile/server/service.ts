import { type Db, isConstraintViolationOf } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import { queueMail, redirectQueuedMail } from '#server/mail/queue.ts';
import { assertFreshIdentityProof } from '#server/auth/fresh-proof.ts';
import type { Caller, SessionManager } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { PasskeysService } from '#features/accounts/passkeys/server/service.ts';
import { type PasswordsService, revokeLinksAndCodes } from '#features/accounts/passwords/server/service.ts';
import {
  EMAIL_TAKEN_MESSAGE,
  type AccountIdentity,
  type UsersService,
} from '#features/people/users/server/service.ts';
import type { profileApi } from '../contract.ts';
import { composeAccountChangedEmail } from './emails.ts';

export type ProfileService = ReturnType<typeof createProfileService>;

type Deps = {
  db: Db;
  users: UsersService;
  passkeys: PasskeysService;
  passwords: Pick<PasswordsService, 'confirm'>;
  sessions: Pick<SessionManager, 'noteProof'>;
  audit: AuditService;
  clock: Clock;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
};

/** Creates the service that changes names, usernames and emails, and records proofs of identity. */
export function createProfileService(deps: Deps) {
  const { db, users, passkeys, passwords, sessions, audit, clock, settings } = deps;

  async function change(userId: string, to: AccountIdentity, role: 'admin' | 'student', actor: Caller) {
    try {
      return await db.transaction(async (tx) => {
        const before = await users.lockForChange(tx, userId);
        if (!before) throw createNotFoundError('This user no longer exists');
        if (before.role !== role)
          throw new AppError('forbidden', 'Teachers change their own details themselves.');
        const after = await users.changeIdentity(tx, before, to);
        const emailChanged = after.email !== before.email;
        // The owner of the new email address can get into the account, so the caller must prove who they are. A
        // teacher who changes her own email has already entered her password.
        if (emailChanged && role === 'student') assertFreshIdentityProof(actor, clock());
        // Revokes reset links and redirects queued emails with a password. Otherwise somebody who reads the
        // old mailbox could use them.
        if (emailChanged) {
          await revokeLinksAndCodes(tx, userId);
          await redirectQueuedMail(tx, userId, 'credentials', after.email);
        }
        if ((emailChanged || after.username !== before.username) && settings.mailServer) {
          await queueMail(tx, composeAccountChangedEmail(before, after, clock(), settings));
        }
        const changed = describeChanges(before, after);
        if (changed) await audit.record(tx, actor, 'user-changed', formatDisplayName(before), changed);
        await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/users', '/api/admin/mail'] });
        return after;
      });
    } catch (error) {
      if (isConstraintViolationOf(error, 'users_email_unique'))
        throw createConflictError(EMAIL_TAKEN_MESSAGE).atPath('email');
      if (isConstraintViolationOf(error, 'users_username_unique'))
        throw createConflictError('Another account already has this username.').atPath('username');
      throw error;
    }
  }

  return {
    /**
     * Changes a teacher's own account. Requires the password, because whoever controls an account's email
     * address can take the account over.
     * @throws AppError 'bad-input' for a wrong password, 'too-many', 'conflict' for a username or email that
     *   is taken
     */
    async changeOwn(
      { firstName, lastName, username, email, currentPassword, ...rest }: BodyOf<typeof profileApi.changeOwn>,
      caller: Caller,
      from: { address: string; device: string | undefined },
    ) {
      assertExhaustive(rest);
      if (!(await passwords.confirm(caller.id, currentPassword, from)))
        throw wrongPassword('currentPassword', 'Current password is incorrect');
      return change(caller.id, { firstName, lastName, username, email }, 'admin', caller);
    },

    /**
     * Records in the session that the caller has proved who they are, for endpoints with `needsFreshProof`.
     * @throws AppError 'bad-input' for a wrong password or passkey, 'forbidden' for a password if the account
     * requires a passkey, 'too-many'
     */
    async prove(
      { password, passkey, ...rest }: BodyOf<typeof profileApi.prove>,
      caller: Caller,
      { session, ...from }: { address: string; device: string | undefined; session: string },
    ) {
      assertExhaustive(rest);
      const proof = passkey ? await passkeys.prove(passkey) : null;
      await db.transaction(async (tx) => {
        const user = await users.lockForChange(tx, caller.id);
        if (!user) throw new AppError('unauthorized', 'Unauthorized');
        await passkeys.checkSecondFactor(tx, user, proof);
      });
      if (!proof && !(await passwords.confirm(caller.id, password, from)))
        throw wrongPassword('password', 'This password is wrong.');
      await sessions.noteProof(session, clock());
    },

    /**
     * @throws AppError 'not-found'; 'forbidden' for a teacher's account, or for a new email without a fresh
     *   proof; 'conflict' for an email that is taken
     */
    changeStudent(
      userId: string,
      { firstName, lastName, email, ...rest }: BodyOf<typeof profileApi.changeStudent>,
      actor: Caller,
    ) {
      assertExhaustive(rest);
      return change(userId, { firstName, lastName, email }, 'student', actor);
    },
  };
}

const wrongPassword = (path: string, message: string) => createBadInputError(message, [{ path, message }]);

function describeChanges(before: Required<AccountIdentity>, after: Required<AccountIdentity>): string | null {
  const parts = [
    ...(formatDisplayName(before) === formatDisplayName(after)
      ? []
      : [`name (now ${formatDisplayName(after)})`]),
    ...(before.username === after.username ? [] : ['username']),
    ...(before.email === after.email ? [] : ['email']),
  ];
  return parts.join(', ') || null;
}
