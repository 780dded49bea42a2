import type { Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import type { Log } from '#server/log.ts';
import { runBulkItem } from '#server/bulk-item.ts';
import type { Actor } from '#features/audit/server/service.ts';
import type { BulkUserChange, usersApi } from '../contract.ts';
import type { createLevelAccessService } from './level-access.ts';
import type { createAccountLifecycle } from './account-lifecycle.ts';
import type { createCredentialIssuer } from './credentials.ts';

type Deps = {
  db: Db;
  log: Log;
  credentials: ReturnType<typeof createCredentialIssuer>;
  access: ReturnType<typeof createLevelAccessService>;
  lifecycle: ReturnType<typeof createAccountLifecycle>;
};

/** Creates the service for bulk changes, which apply a change to several users, one after the other. */
export function createBulkUserService({ db, log, credentials, access, lifecycle }: Deps) {
  type BulkRequest = { levels: number[]; clientId: string; actor: Actor };

  const changes: Record<BulkUserChange, (userId: string, request: BulkRequest) => Promise<void>> = {
    async grant(userId, { levels, clientId, actor }) {
      for (const level of levels) await access.grant(userId, level, actor, clientId);
    },
    async revoke(userId, { levels, clientId, actor }) {
      for (const level of levels) await access.revoke(userId, level, actor, clientId);
    },
    async enable(userId, { clientId, actor }) {
      await lifecycle.setStatus(userId, true, actor, clientId);
    },
    async disable(userId, { clientId, actor }) {
      await lifecycle.setStatus(userId, false, actor, clientId);
    },
    async mail(userId, { clientId, actor }) {
      const issued = await credentials.newCredentials();
      await db.transaction((tx) => credentials.sendNewPasswordToStudent(tx, userId, actor, issued, clientId));
    },
  };

  return {
    /**
     * Changes all the users; a failure for one user does not stop the others. Repeating the call with the
     * same `clientId` has no further effect.
     * @returns a result per user, in the order of the ids
     */
    async changeMany(
      { userIds, change, transmissionLevels, clientId, ...rest }: BodyOf<typeof usersApi.changeMany>,
      actor: Actor,
    ) {
      assertExhaustive(rest);
      const request = { levels: [...new Set(transmissionLevels)], clientId, actor };
      const results = [];
      for (const id of new Set(userIds)) {
        results.push({ id, ...(await runBulkItem(() => changes[change](id, request), log)) });
      }
      return results;
    },
  };
}
