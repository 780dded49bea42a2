import type { Db } from '#server/db/database.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { createBadInputError, createNotFoundError } from '#shared/errors.ts';
import { MELODY_LIST_PATHS } from '#shared/live.ts';
import { announceChange } from '#server/db/changes.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import * as store from './store.ts';

/** Endpoints whose responses depend on a student's levels. */
const LIBRARY_PATHS = [...MELODY_LIST_PATHS, '/api/user/transmission-levels'] as const;

/**
 * Creates the service for users' access to transmission levels. `batch` is the id that all audit entries of a
 * bulk change share.
 */
export function createLevelAccessService({ db, audit }: { db: Db; audit: AuditService }) {
  return {
    async listAccess(userId: string) {
      if (!(await store.findUser(db, userId))) throw createNotFoundError('This user no longer exists');
      return store.listLevelAccess(db, userId);
    },

    /**
     * Grants a level to a user.
     * @returns the access, and whether it is new
     * @throws AppError 'not-found' for an unknown user, 'bad-input' for an unknown level
     */
    grant(userId: string, levelId: number, actor: Actor, batch: string | null = null) {
      return db.transaction(async (tx) => {
        const user = await store.lockUserAgainstDeletion(tx, userId);
        if (!user) throw createNotFoundError('This user no longer exists');
        const [level] = await lockExistingLevels(tx, [levelId]);
        const [access] = await store.insertLevelAccess(tx, userId, [levelId], actor.id);
        const { isNew } = access!;
        if (isNew) {
          await audit.record(tx, actor, 'level-granted', formatDisplayName(user), level!.name, batch);
          await announceChange(tx, { to: userId, refreshes: LIBRARY_PATHS });
        }
        return { access: access!, isNew };
      });
    },

    /**
     * Revokes a level. Does nothing if the user doesn't have it.
     * @throws AppError 'not-found' for an unknown user
     */
    async revoke(userId: string, levelId: number, actor: Actor, batch: string | null = null) {
      await db.transaction(async (tx) => {
        const user = await store.lockUserAgainstDeletion(tx, userId);
        if (!user) throw createNotFoundError('This user no longer exists');
        const levelName = await store.deleteLevelAccess(tx, userId, levelId);
        if (levelName === null) return;
        await audit.record(tx, actor, 'level-revoked', formatDisplayName(user), levelName, batch);
        await announceChange(tx, { to: userId, refreshes: LIBRARY_PATHS });
      });
    },
  };
}

/**
 * Returns the levels with these ids, and locks them against deletion.
 * @throws AppError 'bad-input' unless every id belongs to a level
 */
export async function lockExistingLevels(tx: Db, ids: number[]) {
  const uniqueIds = [...new Set(ids)];
  const found = await store.lockLevels(tx, uniqueIds);
  if (found.length < uniqueIds.length) throw createBadInputError('This level no longer exists');
  return found;
}
