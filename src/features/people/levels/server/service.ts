import { isConstraintViolationOf, type Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import { MELODY_LIST_PATHS } from '#shared/live.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import type { levelsApi } from '../contract.ts';
import { DEFAULT_LEVELS } from '../limits.ts';
import * as store from './store.ts';

export type LevelsService = ReturnType<typeof createLevelsService>;

/**
 * Changes to a level. An absent field stays unchanged, and a null or blank description removes the
 * description.
 */
type LevelChange = BodyOf<typeof levelsApi.change>;

export function createLevelsService({ db, audit }: { db: Db; audit: AuditService }) {
  /**
   * Makes the open pages of all users with access to any of these levels refetch the melodies. The pages of
   * admins also refetch the levels, because their list shows how many melodies each level has.
   */
  async function announceMelodies(tx: Db, levelIds: readonly number[]) {
    const affected = await store.listUserIdsWithLevelAccess(tx, levelIds);
    await announceChange(tx, { to: affected, refreshes: MELODY_LIST_PATHS });
    await announceChange(tx, {
      to: ALL_ADMINS,
      refreshes: ['/api/melodies', '/api/admin/transmission-levels'],
    });
  }

  return {
    list: () => store.listLevels(db),

    /** Returns the levels whose melodies the caller may hear: the granted ones, or all for an admin. */
    listFor: (caller: Pick<Caller, 'id' | 'role'>) =>
      caller.role === 'admin' ? store.listLevels(db) : store.listLevelsOfUser(db, caller.id),

    announceMelodies,

    /** Creates the default levels, unless there are levels already. */
    initialise: () => store.insertLevelsIfNone(db, DEFAULT_LEVELS),

    /** @throws AppError 'conflict' if another level has the name, ignoring case */
    add({ name, description, neverKept = false, ...rest }: BodyOf<typeof levelsApi.add>, actor: Actor) {
      assertExhaustive(rest);
      return db.transaction(async (tx) => {
        await store.lockLevelsTable(tx);
        if (await store.isLevelNameTaken(tx, name)) throw nameTaken();
        const words = { name, description: normalizeDescription(description) ?? null };
        const id = await store.insertLevel(tx, { ...words, neverKept });
        await audit.record(tx, actor, 'level-added', name);
        await announceChange(tx, { to: ALL_ADMINS, refreshes: ADMIN_PATHS });
        return (await store.findLevel(tx, id))!;
      });
    },

    /** @throws AppError 'not-found', or 'conflict' if another level has the name, ignoring case */
    change(id: number, change: LevelChange, actor: Actor) {
      const { name: newName, description: typed, neverKept: newNeverKept, ...rest } = change;
      assertExhaustive(rest);
      return db.transaction(async (tx) => {
        await store.lockLevelsTable(tx);
        const current = await store.findLevel(tx, id);
        if (!current) throw levelNotFound();
        const name = newName ?? current.name;
        const newDescription = normalizeDescription(typed);
        const description = newDescription === undefined ? current.description : newDescription;
        const neverKept = newNeverKept ?? current.neverKept;
        const isSame = description === current.description && neverKept === current.neverKept;
        if (name === current.name && isSame) return current;
        if (await store.isLevelNameTaken(tx, name, id)) throw nameTaken();
        await store.updateLevel(tx, id, { name, description, neverKept });
        await audit.record(tx, actor, 'level-changed', current.name, name === current.name ? null : name);
        await announceChange(tx, { to: ALL_ADMINS, refreshes: [...ADMIN_PATHS, '/api/melodies'] });
        await announceChange(tx, {
          to: await store.listUserIdsWithLevelAccess(tx, [id]),
          refreshes: STUDENT_PATHS,
        });
        return { ...current, name, description, neverKept };
      });
    },

    /**
     * Deletes a level and all access granted to it.
     * @throws AppError 'not-found', or 'conflict' while a melody uses it
     */
    async remove(id: number, actor: Actor) {
      try {
        await db.transaction(async (tx) => {
          const affected = await store.listUserIdsWithLevelAccess(tx, [id]);
          const name = await store.deleteLevel(tx, id);
          if (name === null) throw levelNotFound();
          await audit.record(tx, actor, 'level-deleted', name);
          await announceChange(tx, { to: ALL_ADMINS, refreshes: ADMIN_PATHS });
          await announceChange(tx, { to: affected, refreshes: STUDENT_PATHS });
        });
      } catch (error) {
        // Relies on the foreign key, because a melody that uses the level may be added concurrently.
        if (isConstraintViolationOf(error, 'melodies_transmission_level_id_transmission_levels_id_fk'))
          throw levelInUse();
        throw error;
      }
    },
  };
}

const ADMIN_PATHS = ['/api/admin/transmission-levels', '/api/user/transmission-levels'] as const;
const STUDENT_PATHS = ['/api/user/transmission-levels', '/api/melodies'] as const;

/** Returns the trimmed description: undefined if absent, null if blank. */
const normalizeDescription = (description: LevelChange['description']) =>
  description === undefined ? undefined : description?.trim() || null;

const levelNotFound = () => createNotFoundError('This level no longer exists');
const nameTaken = () => createConflictError('Another level has this name.');
const levelInUse = () =>
  createConflictError('A melody still uses this level. Move its melodies to another level, then delete it.');
