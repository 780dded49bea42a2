import type { Db } from '../../../db/database.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import { DEFAULT_LEVELS } from '../limits.ts';
import * as store from './store.ts';

export type LevelsService = ReturnType<typeof levelsService>;

export function levelsService({ db }: { db: Db }) {
  return {
    list: () => store.listLevels(db),

    /** The levels that the caller may hear: those granted, and all of them for an admin. */
    listFor: (caller: Pick<Caller, 'id' | 'role'>) =>
      caller.role === 'admin' ? store.listLevels(db) : store.listLevelsOf(db, caller.id),

    /** Makes the default levels when there are none. */
    initialise: () => store.insertLevelsIfNone(db, DEFAULT_LEVELS),
  };
}
