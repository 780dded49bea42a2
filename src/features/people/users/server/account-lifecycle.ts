import type { Db } from '#server/db/database.ts';
import {
  deleteClientIdTombstones,
  SHARED_TOMBSTONE_OWNER,
  insertClientIdTombstones,
} from '#server/db/client-id-tombstones.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { AppError, createNotFoundError } from '#shared/errors.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import { createSessionStore } from '#server/auth/sessions.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import type { NotificationsService } from '#features/messages/notifications/server/service.ts';
import { revokeSessionsLinksAndCodes } from '#features/accounts/passwords/server/service.ts';
import * as store from './store.ts';

/**
 * A feature whose files are deleted with their student. `lockFilesOf` locks the student's rows until the
 * transaction ends and returns the names of their files. The lock makes a concurrent write either commit
 * first or fail. Features are locked in the order of `ownedFiles`.
 */
export type FileOwningFeature = { lockFilesOf(tx: Db, studentId: string): Promise<(string | null)[]> };

/**
 * Notifies open pages about the shared passages of a student's recordings, which are hidden while the student
 * is disabled.
 */
export type PassageAnnouncer = { announcePassages(tx: Db, studentId: string): Promise<unknown> };

type Deps = {
  db: Db;
  audit: AuditService;
  media: MediaRepository;
  news: NotificationsService;
  ownedFiles: readonly FileOwningFeature[];
  passages: PassageAnnouncer;
};

/** Creates the service that enables, disables and deletes accounts. */
export function createAccountLifecycle({ db, audit, media, news, ownedFiles, passages }: Deps) {
  return {
    /**
     * Enables or disables a user. Disabling also ends all of the user's sessions and revokes links and codes.
     * Idempotent.
     * @throws AppError 'forbidden' for the caller's own account, 'unauthorized' if the caller has just been
     *   disabled, 'not-found'
     */
    setStatus(userId: string, isActive: boolean, actor: Actor, batch: string | null = null) {
      if (userId === actor.id) {
        throw new AppError('forbidden', "You can't enable or disable your own account.");
      }
      return db.transaction(async (tx) => {
        const lockedUsers = await store.lockUsers(tx, [userId, actor.id]);
        // If two admins disable each other concurrently, the second caller has been disabled by now and must
        // not disable the first.
        if (!lockedUsers.some((one) => one.id === actor.id && one.isActive)) {
          throw new AppError('unauthorized', 'Unauthorized');
        }
        const user = lockedUsers.find((one) => one.id === userId);
        if (!user) throw createNotFoundError('This user no longer exists');
        if (user.isActive === isActive) return user;
        const changed = await store.updateUserStatus(tx, userId, { isActive });
        if (!isActive) await revokeSessionsLinksAndCodes(tx, userId);
        await passages.announcePassages(tx, userId);
        const action = isActive ? 'user-enabled' : 'user-disabled';
        await audit.record(tx, actor, action, formatDisplayName(user), null, batch);
        await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/users'] });
        return changed;
      });
    },

    /**
     * Deletes a student with all their data. The files are removed after the commit.
     * @throws AppError 'not-found', 'forbidden' for an admin
     */
    async remove(userId: string, actor: Actor) {
      const files = await db.transaction(async (tx) => {
        const user = await store.lockUserForDeletion(tx, userId);
        if (!user) throw createNotFoundError('This user no longer exists');
        if (user.role === 'admin') throw new AppError('forbidden', "A teacher's account can't be deleted.");
        const names: (string | null)[] = [];
        for (const owned of ownedFiles) names.push(...(await owned.lockFilesOf(tx, userId)));
        await store.deleteUser(tx, userId);
        await insertClientIdTombstones(tx, SHARED_TOMBSTONE_OWNER, [user.clientId]);
        await deleteClientIdTombstones(tx, userId);
        await createSessionStore(tx).endAllOf(userId);
        await audit.record(tx, actor, 'user-deleted', formatDisplayName(user));
        await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/users', '/api/admin/mail'] });
        await news.announceStudentDeleted(tx);
        return media.deleteRows(tx, names);
      });
      await media.removeFiles(files);
    },
  };
}
