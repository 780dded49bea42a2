import type { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { hasClientIdTombstone, SHARED_TOMBSTONE_OWNER } from '#server/db/client-id-tombstones.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { createConflictError } from '#shared/errors.ts';
import { createConcurrencyLimiter, createKeyedLimiter } from '#server/concurrency/concurrency-limiter.ts';
import { toValidationIssues, toErrorSentence } from '#server/http/issues.ts';
import type { Log } from '#server/log.ts';
import { runBulkItem } from '#server/bulk-item.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import { EMAIL_TAKEN_MESSAGE, type UsersService } from '#features/people/users/server/service.ts';
import { type invitationsApi, inviteSchema, type Invite, invitee, type InviteResult } from '../contract.ts';

export type InvitationsService = ReturnType<typeof createInvitationsService>;

/**
 * Maximum number of rows processed concurrently. More rows would slow down other users: each row uses a
 * database connection, and its password is hashed in the same queue as the passwords of people who sign in.
 */
const MAX_CONCURRENT_ROWS = 2;

export function createInvitationsService(deps: {
  db: Db;
  users: UsersService;
  audit: AuditService;
  log: Log;
}) {
  const { db, users, audit, log } = deps;
  const limitRows = createConcurrencyLimiter({ maxConcurrent: MAX_CONCURRENT_ROWS });

  /**
   * Creates the student, grants the levels and queues the email in one transaction. Idempotent: if the client
   * sends a row again because the response was lost, even while the first request is still running, the row
   * succeeds without creating another account.
   * @throws AppError 'conflict' if the email has another account, or if the row's account has been deleted
   */
  async function inviteOne(row: Invite, actor: Actor, batch: string | null) {
    const isAlreadyCreated = async () => {
      const [account] = await users.findAccountsByEmail([row.email]);
      if (account && (row.clientId === undefined || account.clientId !== row.clientId)) {
        throw createConflictError(EMAIL_TAKEN_MESSAGE);
      }
      return account !== undefined;
    };
    if (await isAlreadyCreated()) return;
    const credentials = await users.newCredentials();
    const isAdded = await db.transaction(async (tx) => {
      const added = await users.addStudent(tx, row, credentials, actor);
      if (!added) return false;
      if (await hasClientIdTombstone(tx, SHARED_TOMBSTONE_OWNER, row.clientId))
        throw createConflictError(ACCOUNT_DELETED);
      await users.mailCredentials(tx, added.user, credentials.password, 'invited');
      await audit.record(tx, actor, 'user-invited', formatDisplayName(added.user), added.levelNames, batch);
      return true;
    });
    if (!isAdded && !(await isAlreadyCreated())) throw createConflictError(EMAIL_TAKEN_MESSAGE);
  }

  async function runRow(input: z.input<typeof inviteSchema>, run: (row: Invite) => Promise<void>) {
    const { data, error } = inviteSchema.safeParse(input);
    const outcome = data
      ? await runBulkItem(() => run(data), log)
      : { ok: false, message: toErrorSentence(toValidationIssues(error)) };
    return { email: input.email, ...outcome };
  }

  return {
    /**
     * Invites the person in each valid row; an invalid row does not stop the others. If several rows have the
     * same email, the first valid row succeeds and the others fail.
     * @returns a result per row, in the order of the rows, with the error if it failed
     */
    invite(
      { invites: rows, batch, ...rest }: BodyOf<typeof invitationsApi.invite>,
      actor: Actor,
    ): Promise<InviteResult[]> {
      assertExhaustive(rest);
      const serializedBy = createKeyedLimiter({ maxConcurrent: 1 });
      return Promise.all(
        rows.map((input) =>
          runRow(input, (row) =>
            serializedBy(row.email, () => limitRows(() => inviteOne(row, actor, batch ?? null))),
          ),
        ),
      );
    },

    /**
     * Returns, for each row, its validation errors and the account that already has the row's email (null if
     * there is none).
     */
    async check(rows: BodyOf<typeof invitationsApi.check>['invites']) {
      const parsed = rows.map((row) => invitee.safeParse(row));
      // Looks up every valid email, even if the names are invalid: a row whose email has an account only
      // grants levels, so its names don't matter.
      const emails = rows.map((row) => invitee.shape.email.safeParse(row.email).data ?? null);
      const accounts = await users.findAccountsByEmail(emails.filter((email) => email !== null));
      return parsed.map(({ error }, index) => ({
        issues: error ? toValidationIssues(error) : [],
        account: accounts.find(({ email }) => email.toLowerCase() === emails[index]) ?? null,
      }));
    },
  };
}

const ACCOUNT_DELETED = 'This account has since been deleted. To create it again, please send a new invite.';
