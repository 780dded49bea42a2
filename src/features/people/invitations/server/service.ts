import type { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { isSpent, SHARED } from '#server/db/spent-keys.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { displayName } from '#shared/display-name.ts';
import { conflict } from '#shared/errors.ts';
import { concurrencyLimiter, keyedLimiter } from '#server/concurrency/concurrency-limiter.ts';
import { issuesOf, sentenceOf } from '#server/http/issues.ts';
import type { Log } from '#server/log.ts';
import { outcomeOf } from '#server/outcome.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import { EMAIL_TAKEN, type UsersService } from '#features/people/users/server/service.ts';
import { type invitationsApi, invite, type Invite, invitee, type InviteResult } from '../contract.ts';

export type InvitationsService = ReturnType<typeof invitationsService>;

/**
 * Maximum rows processed at once. Each uses a database connection, and its password waits in the same hashing
 * queue as those of people signing in.
 */
const ROWS_AT_ONCE = 2;

export function invitationsService(deps: { db: Db; users: UsersService; audit: AuditService; log: Log }) {
  const { db, users, audit, log } = deps;
  const oneOfFew = concurrencyLimiter({ atOnce: ROWS_AT_ONCE });

  /**
   * Creates the student, grants the levels and queues the mail in one transaction. If the client sends a row
   * again because the response was lost, even while the first request is still running, the row succeeds
   * without creating another account.
   */
  async function inviteOne(row: Invite, actor: Actor, batch: string | null) {
    const isMade = async () => {
      const [account] = await users.accountsWith([row.email]);
      if (account && (row.clientId === undefined || account.clientId !== row.clientId)) {
        throw conflict(EMAIL_TAKEN);
      }
      return account !== undefined;
    };
    if (await isMade()) return;
    const credentials = await users.newCredentials();
    const isAdded = await db.transaction(async (tx) => {
      const added = await users.addStudent(tx, row, credentials, actor);
      if (!added) return false;
      if (await isSpent(tx, SHARED, row.clientId)) throw conflict(DELETED_SINCE);
      await users.mailCredentials(tx, added.user, credentials.password, 'invited');
      await audit.record(tx, actor, 'user-invited', displayName(added.user), added.levelNames, batch);
      return true;
    });
    if (!isAdded && !(await isMade())) throw conflict(EMAIL_TAKEN);
  }

  async function resultOf(input: z.input<typeof invite>, run: (row: Invite) => Promise<void>) {
    const { data, error } = invite.safeParse(input);
    const outcome = data
      ? await outcomeOf(() => run(data), log)
      : { ok: false, message: sentenceOf(issuesOf(error)) };
    return { email: input.email, ...outcome };
  }

  return {
    /**
     * Invites everybody it can; an invalid row does not stop the others. If several rows have the same email,
     * the first valid row is invited.
     * @returns a result per row, in the order of the rows, with the error if it failed
     */
    invite(
      { invites: rows, batch, ...rest }: BodyOf<typeof invitationsApi.invite>,
      actor: Actor,
    ): Promise<InviteResult[]> {
      nothingLeft(rest);
      const serializedBy = keyedLimiter({ atOnce: 1 });
      return Promise.all(
        rows.map((input) =>
          resultOf(input, (row) =>
            serializedBy(row.email, () => oneOfFew(() => inviteOne(row, actor, batch ?? null))),
          ),
        ),
      );
    },

    /** Returns the validation errors of each row, and the account that already has its email. */
    async check(rows: BodyOf<typeof invitationsApi.check>['invites']) {
      const parsed = rows.map((row) => invitee.safeParse(row));
      // Somebody may have an account already even if their name would not be valid today.
      const emails = rows.map((row) => invitee.shape.email.safeParse(row.email).data ?? null);
      const accounts = await users.accountsWith(emails.filter((email) => email !== null));
      return parsed.map(({ error }, index) => ({
        issues: error ? issuesOf(error) : [],
        account: accounts.find(({ email }) => email.toLowerCase() === emails[index]) ?? null,
      }));
    },
  };
}

const DELETED_SINCE = 'This account has since been deleted. To create it again, please use a new invitation.';
