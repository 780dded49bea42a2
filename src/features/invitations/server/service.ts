import type { z } from 'zod';
import type { Db } from '../../../db/database.ts';
import { displayName } from '../../../platform/contract/display-name.ts';
import { AppError, conflict } from '../../../platform/contract/errors.ts';
import { concurrency, oneAtATimeForEach } from '../../../platform/server/concurrency.ts';
import { issuesOf, sentenceOf } from '../../../platform/server/http/issues.ts';
import type { Log } from '../../../platform/server/log.ts';
import type { Actor, AuditService } from '../../audit/server/service.ts';
import { EMAIL_TAKEN, type UsersService } from '../../users/server/service.ts';
import { invite, type Invite, type InviteResult } from '../contract.ts';

export type InvitationsService = ReturnType<typeof invitationsService>;

/** Each uses a database connection; their passwords are queued for hashing with those of people who sign in meanwhile. */
const ROWS_AT_ONCE = 2;

export function invitationsService(deps: { db: Db; users: UsersService; audit: AuditService; log: Log }) {
  const { db, users, audit, log } = deps;
  const oneOfFew = concurrency(ROWS_AT_ONCE);

  /** Creates the student, grants the levels and queues the mail, as one unit. */
  async function inviteOne(row: Invite, actor: Actor) {
    if (await users.hasAccount(row.email)) throw conflict(EMAIL_TAKEN);
    const credentials = await users.newCredentials();
    await db.transaction(async (tx) => {
      const added = await users.addStudent(tx, row, credentials, actor);
      if (!added) throw conflict(EMAIL_TAKEN);
      await users.mailCredentials(tx, added.user, credentials.password, 'invited');
      await audit.record(tx, actor, 'user-invited', displayName(added.user), added.levelNames);
    });
  }

  async function resultOf(input: z.input<typeof invite>, run: (row: Invite) => Promise<void>) {
    const failed = (message: string): InviteResult => ({ email: input.email, ok: false, message });
    const row = invite.safeParse(input);
    if (!row.success) return failed(sentenceOf(issuesOf(row.error)));
    try {
      await run(row.data);
      return { email: input.email, ok: true };
    } catch (error) {
      if (error instanceof AppError) return failed(error.message);
      // The rows before it are committed: the teacher must learn which, so only this one fails.
      log.error({ error }, 'an invite failed unexpectedly');
      return failed('Something went wrong on our side. Please try this one again.');
    }
  }

  return {
    /**
     * Invites everybody it can; an invalid row does not stop the others. Of rows with one email the first valid one is
     * invited.
     * @returns in the order of the rows, with the failure if there was one
     */
    invite(rows: z.input<typeof invite>[], actor: Actor): Promise<InviteResult[]> {
      const serializedBy = oneAtATimeForEach();
      return Promise.all(
        rows.map((input) =>
          resultOf(input, (row) => serializedBy(row.email, () => oneOfFew(() => inviteOne(row, actor)))),
        ),
      );
    },
  };
}
