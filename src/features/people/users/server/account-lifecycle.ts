import type { Db } from '#server/db/database.ts';
import { forgetKeys, SHARED, spendKeys } from '#server/db/spent-keys.ts';
import { displayName } from '#shared/display-name.ts';
import { AppError, notFound } from '#shared/errors.ts';
import { ADMINS, announceChange } from '#server/db/changes.ts';
import type { Media } from '#server/media/keep.ts';
import { sessionsOf } from '#server/auth/sessions.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import type { NewsService } from '#features/messages/notifications/server/service.ts';
import { revokeSessionsAndLinks } from '#features/accounts/passwords/server/service.ts';
import * as store from './store.ts';

/**
 * What students own and a deletion removes. In the order of the list each locks its rows until the transaction ends and
 * names their files, so that whatever is being written to them has either committed or comes too late.
 */
export type OwnedFiles = { holdFilesOf(tx: Db, studentId: string): Promise<(string | null)[]> };

/** What others hear of a student. Rests while the student is disabled, and open pages are told. */
export type Passages = { tellOfPassages(tx: Db, studentId: string): Promise<unknown> };

type Deps = {
  db: Db;
  audit: AuditService;
  media: Media;
  news: NewsService;
  ownedFiles: readonly OwnedFiles[];
  passages: Passages;
};

/** Whether somebody may come in, or is here at all. */
export function accountLifecycle({ db, audit, media, news, ownedFiles, passages }: Deps) {
  return {
    /**
     * Enables or disables; disabling also ends all of the user's sessions and voids reset links. Idempotent.
     * @throws AppError 'forbidden' for oneself, 'not-found'
     */
    setStatus(userId: string, isActive: boolean, actor: Actor, batch: string | null = null) {
      if (userId === actor.id) {
        throw new AppError('forbidden', "You can't enable or disable your own account.");
      }
      return db.transaction(async (tx) => {
        const held = await store.lockUsers(tx, [userId, actor.id]);
        // Of two admins who disable each other concurrently, the second is no longer an admin.
        if (!held.some((one) => one.id === actor.id && one.isActive)) {
          throw new AppError('unauthorized', 'Unauthorized');
        }
        const user = held.find((one) => one.id === userId);
        if (!user) throw notFound('No such user');
        if (user.isActive === isActive) return user;
        const changed = await store.updateUser(tx, userId, { isActive });
        if (!isActive) await revokeSessionsAndLinks(tx, userId);
        await passages.tellOfPassages(tx, userId);
        const action = isActive ? 'user-enabled' : 'user-disabled';
        await audit.record(tx, actor, action, displayName(user), null, batch);
        await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/users'] });
        return changed;
      });
    },

    /**
     * Deletes a student with everything of theirs; the files once that has committed.
     * @throws AppError 'not-found', 'forbidden' for an admin
     */
    async remove(userId: string, actor: Actor) {
      const files = await db.transaction(async (tx) => {
        const user = await store.lockForDeletion(tx, userId);
        if (!user) throw notFound('No such user');
        if (user.role === 'admin') throw new AppError('forbidden', "A teacher's account can't be deleted.");
        const names: (string | null)[] = [];
        for (const owned of ownedFiles) names.push(...(await owned.holdFilesOf(tx, userId)));
        await store.deleteUser(tx, userId);
        await spendKeys(tx, SHARED, [user.clientId]);
        await forgetKeys(tx, userId);
        await sessionsOf(tx).endAllOf(userId);
        await audit.record(tx, actor, 'user-deleted', displayName(user));
        await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/users', '/api/admin/mail'] });
        await news.studentDeleted(tx);
        return media.forget(tx, names);
      });
      await media.removeFiles(files);
    },
  };
}
