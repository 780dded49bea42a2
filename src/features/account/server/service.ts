import { type Db, violates } from '../../../db/database.ts';
import { type BodyOf, nothingLeft } from '../../../platform/contract/body.ts';
import { displayName } from '../../../platform/contract/display-name.ts';
import { AppError, badInput, conflict, notFound } from '../../../platform/contract/errors.ts';
import { ADMINS, announceChange } from '../../../platform/server/changes.ts';
import type { Clock } from '../../../platform/server/clock.ts';
import { queueMail, redirectQueued } from '../../../platform/server/mail/queue.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { Settings } from '../../../platform/server/settings.ts';
import type { AuditService } from '../../audit/server/service.ts';
import { type PasswordsService, voidLinks } from '../../passwords/server/service.ts';
import { EMAIL_TAKEN, type Identity, type UsersService } from '../../users/server/service.ts';
import type { accountApi } from '../contract.ts';
import { accountChangedMail } from './emails.ts';

export type AccountService = ReturnType<typeof accountService>;

type Deps = {
  db: Db;
  users: UsersService;
  passwords: Pick<PasswordsService, 'confirm'>;
  audit: AuditService;
  clock: Clock;
  settings: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl' | 'mailServer'>;
};

/** Who somebody is: names, username and email. */
export function accountService({ db, users, passwords, audit, clock, settings }: Deps) {
  async function change(userId: string, to: Identity, role: 'admin' | 'student', actor: Caller) {
    try {
      return await db.transaction(async (tx) => {
        const before = await users.lockForChange(tx, userId);
        if (!before) throw notFound('No such user');
        if (before.role !== role)
          throw new AppError('forbidden', 'A teacher changes her own account herself.');
        const after = await users.changeIdentity(tx, before, to);
        const isMoved = after.email !== before.email;
        // Whoever reads the mailbox of before could still use what was sent there.
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
        throw conflict('Another account has this username.').about('username');
      throw error;
    }
  }

  return {
    /**
     * Changes a teacher's own account, with the password: whoever has the mailbox of an account can get into it.
     * @throws AppError 'bad-input' for a wrong password, 'too-many', 'conflict' for a username or email that is taken
     */
    async changeOwn(
      { firstName, lastName, username, email, currentPassword, ...rest }: BodyOf<typeof accountApi.changeOwn>,
      caller: Caller,
      from: { address: string; device: string | undefined },
    ) {
      nothingLeft(rest);
      if (!(await passwords.confirm(caller.id, currentPassword, from))) {
        const message = 'Current password is incorrect';
        throw badInput(message, [{ path: 'currentPassword', message }]);
      }
      return change(caller.id, { firstName, lastName, username, email }, 'admin', caller);
    },

    /** @throws AppError 'not-found', 'forbidden' for a teacher, 'conflict' for an email that is taken */
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

function whatChanged(before: Required<Identity>, after: Required<Identity>): string | null {
  const parts = [
    ...(displayName(before) === displayName(after) ? [] : [`now ${displayName(after)}`]),
    ...(before.username === after.username ? [] : ['the username']),
    ...(before.email === after.email ? [] : ['the email']),
  ];
  return parts.join(', ') || null;
}
