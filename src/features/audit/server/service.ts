import type { Db } from '#server/db/database.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { AuditEntry } from '../contract.ts';
import * as store from './store.ts';

export type AuditService = ReturnType<typeof createAuditService>;

/** The user who performs an audited action. */
export type Actor = Pick<Caller, 'id' | 'firstName' | 'lastName' | 'username'>;

/** Actor for commands on the server's command line, where nobody signs in. */
export const CONSOLE_ACTOR = {
  ...{ id: null, firstName: null, lastName: null },
  username: "Someone at the server's console",
};

export function createAuditService({ db }: { db: Db }) {
  return {
    /**
     * Records an action within the transaction of that action, so that both are saved or neither is. Names
     * are stored as they are at that time.
     * @param subjectName whom or what the action affected, usually the person or the level
     * @param detail depends on the action, for example the granted level, the new name of a level, the name
     *   of a passkey
     * @param batch id shared by all entries of one bulk action
     */
    async record(
      tx: Db,
      actor: Actor | typeof CONSOLE_ACTOR,
      action: AuditEntry['action'],
      subjectName: string,
      detail: string | null = null,
      batch: string | null = null,
    ) {
      const actorName = formatDisplayName(actor);
      await store.insertEntry(tx, { actorId: actor.id, actorName, action, subjectName, detail, batch });
    },

    /**
     * Returns a page of entries, newest first.
     * @param query.within id of an entry that stands for a bulk action, to list the entries of that action
     */
    list: ({ before, within }: { before?: number | undefined; within?: number | undefined } = {}) =>
      within === undefined ? store.listEntries(db, before) : store.listBatchEntries(db, within, before),
  };
}
