import { type Db, violates } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { displayName } from '#shared/display-name.ts';
import { AppError, badInput, conflict, notFound } from '#shared/errors.ts';
import { ADMINS, announceChange } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import { queueMail, redirectQueued } from '#server/mail/queue.ts';
import { requireFreshProof } from '#server/auth/fresh-proof.ts';
import type { Caller, Sessions } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { AuditService } from '#features/audit/server/service.ts';
import type { PasskeysService } from '#features/accounts/passkeys/server/service.ts';
import { type PasswordsService, voidLinks } from '#features/accounts/passwords/server/service.ts';
import { EMAIL_TAKEN, type Identity, type UsersService } from '#features/people/users/server/service.ts';
import type { accountApi } from '../contract.ts';
import { accountChangedMail } from './emails.ts';

export type AccountService = ReturnType<typeof accountService>;

type Deps = {
  db: Db;
  users: UsersService;
  passkeys: PasskeysService;
  passwords: Pick<PasswordsService, 'confirm'>;
  sessions: Pick<Sessions, 'noteProof'>;
  audit: AuditService;
  clock: Clock;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
};

/** Changes the names, username and email of an account. */
export function accountService(deps: Deps) {
  const { db, users, passkeys, passwords, sessions, audit, clock, settings } = deps;

  async function change(userId: string, to: Identity, role: 'admin' | 'student', actor: Caller) {
    try {
      return await db.transaction(async (tx) => {
        const before = await users.lockForChange(tx, userId);
        if (!before) throw notFound('This user no longer exists');
        if (before.role !== role)
          throw new AppError('forbidden', 'Teachers change their own details themselves.');
        const after = await users.changeIdentity(tx, before, to);
        const isMoved = after.email !== before.email;
        // Access to the new mailbox gives access to the account. A teacher changing her own has already given
        // her password.
        if (isMoved && role === 'student') requireFreshProof(actor, clock());
        // Otherwise somebody who reads the old mailbox could still use what was sent there.
        if (isMoved) {
          await voidLinks(tx, userId);
          await redirectQueued(tx, userId, 'credentials', after.email);
        }
        if ((isMoved || after.username !== before.username) && settings.mailServer) {
          await queueMail(tx, accountChangedMail(before, after, clock(), settings));
        }
        const changed = whatChanged(before, after);
        if (changed) await audit.record(tx, actor, 'user-changed', displayName(before), changed);
        await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/users', '/api/admin/mail'] });
        return after;
      });
    } catch (error) {
      if (violates(error, 'users_email_unique')) throw conflict(EMAIL_TAKEN).about('email');
      if (violates(error, 'users_username_unique'))
        throw conflict('Another account already has this username.').about('username');
      throw error;
    }
  }

  return {
    /**
     * Changes a teacher's own account. Asks for the password, because whoever has the mailbox of an account
     * can get into it.
     * @throws AppError 'bad-input' for a wrong password, 'too-many', 'conflict' for a username or email that
     * is taken
     */
    async changeOwn(
      { firstName, lastName, username, email, currentPassword, ...rest }: BodyOf<typeof accountApi.changeOwn>,
      caller: Caller,
      from: { address: string; device: string | undefined },
    ) {
      nothingLeft(rest);
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
      { password, passkey, ...rest }: BodyOf<typeof accountApi.prove>,
      caller: Caller,
      { session, ...from }: { address: string; device: string | undefined; session: string },
    ) {
      nothingLeft(rest);
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
     * @throws AppError 'not-found'; 'forbidden' for a teacher, and for another email without a fresh proof;
     * 'conflict' for an email that is taken
     */
    changeStudent(
      userId: string,
      { firstName, lastName, email, ...rest }: BodyOf<typeof accountApi.changeStudent>,
      actor: Caller,
    ) {
      nothingLeft(rest);
      return change(userId, { firstName, lastName, email }, 'student', actor);
    },
  };
}

const wrongPassword = (path: string, message: string) => badInput(message, [{ path, message }]);

function whatChanged(before: Required<Identity>, after: Required<Identity>): string | null {
  const parts = [
    ...(displayName(before) === displayName(after) ? [] : [`name (now ${displayName(after)})`]),
    ...(before.username === after.username ? [] : ['username']),
    ...(before.email === after.email ? [] : ['email']),
  ];
  return parts.join(', ') || null;
}
