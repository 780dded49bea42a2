import type { Db } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import type { Log } from '#server/log.ts';
import { outcomeOf } from '#server/outcome.ts';
import type { Actor } from '#features/audit/server/service.ts';
import type { ManyChange, usersApi } from '../contract.ts';
import type { accessBy } from './access.ts';
import type { accountLifecycle } from './account-lifecycle.ts';
import type { credentialsBy } from './credentials.ts';

type Deps = {
  db: Db;
  log: Log;
  credentials: ReturnType<typeof credentialsBy>;
  access: ReturnType<typeof accessBy>;
  lifecycle: ReturnType<typeof accountLifecycle>;
};

/** Applies a change to several users, one after the other. */
export function changesToMany({ db, log, credentials, access, lifecycle }: Deps) {
  type Wanted = { levels: number[]; clientId: string; actor: Actor };

  const changes: Record<ManyChange, (userId: string, wanted: Wanted) => Promise<void>> = {
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
      const made = await credentials.newCredentials();
      await db.transaction((tx) => credentials.sendToStudent(tx, userId, actor, made, clientId));
    },
  };

  return {
    /**
     * Changes every user it can; a failure does not stop the others. Repeating it with the same key has no
     * further effect.
     * @returns a result per user, in the order of the ids
     */
    async changeMany(
      { userIds, change, transmissionLevels, clientId, ...rest }: BodyOf<typeof usersApi.changeMany>,
      actor: Actor,
    ) {
      nothingLeft(rest);
      const wanted = { levels: [...new Set(transmissionLevels)], clientId, actor };
      const results = [];
      for (const id of new Set(userIds)) {
        results.push({ id, ...(await outcomeOf(() => changes[change](id, wanted), log)) });
      }
      return results;
    },
  };
}
