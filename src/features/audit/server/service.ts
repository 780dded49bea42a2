import type { Db } from '../../../db/database.ts';
import { displayName } from '../../../platform/contract/display-name.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { AuditEntry } from '../contract.ts';
import * as store from './store.ts';

export type AuditService = ReturnType<typeof auditService>;

/** Who does something that is written down. */
export type Actor = Pick<Caller, 'id' | 'firstName' | 'lastName' | 'username'>;

/** The record of who did what. */
export function auditService({ db }: { db: Db }) {
  return {
    /**
     * Writes down what is done, in the transaction that does it: nothing done without its entry, and no entry for
     * what was not done. Names are kept as they are now.
     * @param subjectName the person or the level that it is done to
     * @param detail the level granted, revoked or given along; of a renamed level its new name
     */
    async note(
      tx: Db,
      actor: Actor,
      action: AuditEntry['action'],
      subjectName: string,
      detail: string | null = null,
    ) {
      const actorName = displayName(actor);
      await store.insertEntry(tx, { actorId: actor.id, actorName, action, subjectName, detail });
    },

    /** Newest first, 50 at a time. */
    list: (before?: number) => store.listEntries(db, before),
  };
}
