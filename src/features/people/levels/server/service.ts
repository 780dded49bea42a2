import { violates, type Db } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { conflict, notFound } from '#shared/errors.ts';
import { HEARD_MELODIES } from '#shared/live.ts';
import { ADMINS, announceChange } from '#server/db/changes.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import type { levelsApi } from '../contract.ts';
import { DEFAULT_LEVELS } from '../limits.ts';
import * as store from './store.ts';

export type LevelsService = ReturnType<typeof levelsService>;

/** Changes to a level. Absent fields stay as they are; an empty description removes it. */
type LevelChange = BodyOf<typeof levelsApi.change>;

export function levelsService({ db, audit }: { db: Db; audit: AuditService }) {
  /** Notifies everybody with access to any of these levels, and the admins, whose list shows the melody counts. */
  async function tellOfMelodies(tx: Db, levelIds: readonly number[]) {
    const affected = await store.listUsersWithAccess(tx, levelIds);
    await announceChange(tx, { to: affected, refreshes: HEARD_MELODIES });
    await announceChange(tx, {
      to: ADMINS,
      refreshes: ['/api/melodies', '/api/admin/transmission-levels'],
    });
  }

  return {
    list: () => store.listLevels(db),

    /** Returns the levels that the caller may hear: those granted, or all for an admin. */
    listFor: (caller: Pick<Caller, 'id' | 'role'>) =>
      caller.role === 'admin' ? store.listLevels(db) : store.listLevelsOf(db, caller.id),

    tellOfMelodies,

    /** Creates the default levels, unless there are levels already. */
    initialise: () => store.insertLevelsIfNone(db, DEFAULT_LEVELS),

    /** @throws AppError 'conflict' when another level has the name, ignoring case */
    add({ name, description, neverKept = false, ...rest }: BodyOf<typeof levelsApi.add>, actor: Actor) {
      nothingLeft(rest);
      return db.transaction(async (tx) => {
        await store.lockNames(tx);
        if (await store.nameIsTaken(tx, name)) throw nameTaken();
        const words = { name, description: described(description) ?? null };
        const id = await store.insertLevel(tx, { ...words, neverKept });
        await audit.record(tx, actor, 'level-added', name);
        await announceChange(tx, { to: ADMINS, refreshes: OF_ADMINS });
        return (await store.findLevel(tx, id))!;
      });
    },

    /** @throws AppError 'not-found', or 'conflict' when another level has the name, ignoring case */
    change(id: number, change: LevelChange, actor: Actor) {
      const { name: newName, description: typed, neverKept: newNeverKept, ...rest } = change;
      nothingLeft(rest);
      return db.transaction(async (tx) => {
        await store.lockNames(tx);
        const present = await store.findLevel(tx, id);
        if (!present) throw noSuchLevel();
        const name = newName ?? present.name;
        const newDescription = described(typed);
        const description = newDescription === undefined ? present.description : newDescription;
        const neverKept = newNeverKept ?? present.neverKept;
        const isSame = description === present.description && neverKept === present.neverKept;
        if (name === present.name && isSame) return present;
        if (await store.nameIsTaken(tx, name, id)) throw nameTaken();
        await store.updateLevel(tx, id, { name, description, neverKept });
        await audit.record(tx, actor, 'level-changed', present.name, name === present.name ? null : name);
        await announceChange(tx, { to: ADMINS, refreshes: [...OF_ADMINS, '/api/melodies'] });
        await announceChange(tx, { to: await store.listUsersWithAccess(tx, [id]), refreshes: STALE_PATHS });
        return { ...present, name, description, neverKept };
      });
    },

    /**
     * Deletes a level and all access granted to it.
     * @throws AppError 'not-found', or 'conflict' while a melody uses it
     */
    async remove(id: number, actor: Actor) {
      try {
        await db.transaction(async (tx) => {
          const affected = await store.listUsersWithAccess(tx, [id]);
          const name = await store.deleteLevel(tx, id);
          if (name === null) throw noSuchLevel();
          await audit.record(tx, actor, 'level-deleted', name);
          await announceChange(tx, { to: ADMINS, refreshes: OF_ADMINS });
          await announceChange(tx, { to: affected, refreshes: STALE_PATHS });
        });
      } catch (error) {
        // The foreign key decides, because a melody may be added concurrently.
        if (violates(error, 'melodies_transmission_level_id_transmission_levels_id_fk')) throw inUse();
        throw error;
      }
    },
  };
}

const OF_ADMINS = ['/api/admin/transmission-levels', '/api/user/transmission-levels'] as const;
const STALE_PATHS = ['/api/user/transmission-levels', '/api/melodies'] as const;

/** Returns undefined if absent, null if blank. */
const described = (description: LevelChange['description']) =>
  description === undefined ? undefined : description?.trim() || null;

const noSuchLevel = () => notFound('This level no longer exists');
const nameTaken = () => conflict('Another level has this name.');
const inUse = () =>
  conflict('A melody still uses this level. Move its melodies to another level, then delete it.');
