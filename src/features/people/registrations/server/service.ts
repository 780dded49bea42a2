import type { Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { AttemptCounter } from '#server/limits/attempts.ts';
import { isAttemptLimitReached } from '#server/limits/attempt-counts.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import type { Settings } from '#server/config/settings.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import type { UsersService } from '#features/people/users/server/service.ts';
import type { registrationsApi } from '../contract.ts';
import { isLookAlike, toConfusableSkeleton } from './look-alike.ts';
import { splitName } from '#shared/split-name.ts';
import { ALREADY_APPROVED_MESSAGE } from '../limits.ts';
import * as store from './store.ts';

const WINDOW_MS = 60 * 60 * 1000;
const MAX_PER_EMAIL = 5;
const MAX_PER_ADDRESS = 300;

export type RegistrationsService = ReturnType<typeof createRegistrationsService>;

export function createRegistrationsService(deps: {
  db: Db;
  users: UsersService;
  audit: AuditService;
  attempts: AttemptCounter;
  clock: Clock;
  community: Pick<Settings, 'appName' | 'teacherTitle'>;
}) {
  const { db, users, audit, attempts, clock, community } = deps;
  const communitySkeletons = new Set([community.appName, community.teacherTitle].map(toConfusableSkeleton));

  /**
   * Rejects a name that looks like the community's or a teacher's, because teachers approve requests by name.
   */
  async function rejectLookAlike(fullName: string) {
    const admins = await users.listAdminNames();
    if (
      communitySkeletons.has(toConfusableSkeleton(fullName)) ||
      admins.some((admin) => isLookAlike(fullName, formatDisplayName(admin)))
    )
      throw createBadInputError(NAME_LOOKS_LIKE_ANOTHER, [
        { path: 'fullName', message: NAME_LOOKS_LIKE_ANOTHER },
      ]);
  }

  return {
    /**
     * Stores a request for access, unless the email has a pending request or an account. The response never
     * reveals whether the email is known.
     * @throws AppError 'too-many'; 'bad-input' for a name that looks like the community's or a teacher's
     */
    async request({ fullName, email, ...rest }: BodyOf<typeof registrationsApi.request>, address: string) {
      assertExhaustive(rest);
      const now = clock();
      const since = new Date(now.getTime() - WINDOW_MS);
      await attempts.record({ kind: 'registration', subject: email, address }, { since, now }, (before) => {
        if (before.subject.count < MAX_PER_EMAIL && !isAttemptLimitReached(MAX_PER_ADDRESS, before.networks))
          return;
        throw new AppError('too-many', 'Too many requests. Please try again in an hour.', {
          retryAfter: WINDOW_MS / 1000,
        });
      });
      await rejectLookAlike(fullName);
      // Notifies the admins even if nothing was stored. Otherwise the response time would reveal that the
      // email is known.
      await db.transaction(async (tx) => {
        await store.insertPendingRegistrationRequest(tx, { fullName, email });
        await notifyAdmins(tx);
      });
    },

    /**
     * Returns a page of requests, newest first. Includes pending and approved requests, unless the filter has
     * a status.
     */
    list: (filter: store.RegistrationRequestFilter = {}) => store.listRegistrationRequests(db, filter),

    countPending: () => store.countRegistrationRequests(db, 'pending'),

    /** Returns the most recent approvals, at most `MAX_RECENT_APPROVALS`. */
    recent: () => store.listRecentApprovals(db),

    /**
     * Creates a student from a request. The account, the granted levels, the request's new status and the
     * email with the credentials are saved in one transaction.
     * @throws AppError 'not-found', 'conflict' (already approved, or the email has an account), 'bad-input'
     *   (an unknown level)
     */
    async approve(requestId: number, levelIds: number[], actor: Actor) {
      // Checks the status and the email before the transaction too, to avoid hashing a password in vain.
      const request = requirePending(await store.findRegistrationRequest(db, requestId));
      if (await users.hasAccount(request.email)) throw accountExists();
      const credentials = await users.newCredentials();
      return db.transaction(async (tx) => {
        const request = requirePending(await store.lockRegistrationRequest(tx, requestId));
        const student = {
          email: request.email,
          ...splitName(request.fullName),
          transmissionLevels: levelIds,
        };
        const added = await users.addStudent(tx, student, credentials, actor);
        if (!added) throw accountExists();
        await store.markRequestApproved(tx, requestId, { processedAt: clock(), processedBy: actor.id });
        await users.mailCredentials(tx, added.user, credentials.password, 'approved');
        await audit.record(tx, actor, 'request-approved', request.fullName, added.levelNames);
        await notifyAdmins(tx);
        return added.user;
      });
    },

    /**
     * Deletes a request with any status. An account created from it remains.
     * @throws AppError 'not-found'
     */
    async remove(requestId: number, actor: Actor) {
      await db.transaction(async (tx) => {
        const fullName = await store.deleteRegistrationRequest(tx, requestId);
        if (fullName === null) throw requestNotFound();
        await audit.record(tx, actor, 'request-deleted', fullName);
        await notifyAdmins(tx);
      });
    },
  };
}

const NAME_LOOKS_LIKE_ANOTHER = 'This is the community’s or teacher’s name. Please enter your own full name.';

const notifyAdmins = (tx: Db) =>
  announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/registration-requests'] });

/** @throws AppError if the request is missing or already approved */
function requirePending(request: store.RegistrationRequest | null): store.RegistrationRequest {
  if (!request) throw requestNotFound();
  if (request.status !== 'pending') throw createConflictError(ALREADY_APPROVED_MESSAGE);
  return request;
}

const requestNotFound = () => createNotFoundError('This request no longer exists');
const accountExists = () =>
  createConflictError('This email already has an account. You can delete the request.');
