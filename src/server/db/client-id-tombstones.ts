import { and, eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import { clientIdTombstones } from './schema.ts';

/** Value of `ownerId` for keys that are unique across all users. */
export const SHARED_TOMBSTONE_OWNER = '';

/**
 * Marks idempotency keys as spent, in the transaction that deletes the rows created with them, so that a late
 * duplicate of a call doesn't create its rows again. A key is null if its call had none.
 * @param ownerId the user who owns the keys, or {@link SHARED_TOMBSTONE_OWNER}
 */
export async function insertClientIdTombstones(
  tx: Db,
  ownerId: string,
  keys: readonly (string | null)[],
): Promise<void> {
  const rows = keys.filter((clientId) => clientId !== null).map((clientId) => ({ ownerId, clientId }));
  if (rows.length > 0) await tx.insert(clientIdTombstones).values(rows).onConflictDoNothing();
}

/** Deletes the tombstones of a deleted user, who can't make further calls. */
export const deleteClientIdTombstones = (tx: Db, ownerId: string) =>
  tx.delete(clientIdTombstones).where(eq(clientIdTombstones.ownerId, ownerId));

/**
 * Returns whether the row created with this key was deleted. Must be called after the insert, in the same
 * transaction: the unique key makes the insert wait for a concurrent deletion.
 */
export async function hasClientIdTombstone(
  db: Db,
  ownerId: string,
  key: string | null | undefined,
): Promise<boolean> {
  if (!key) return false;
  return (
    (await db.$count(
      clientIdTombstones,
      and(eq(clientIdTombstones.ownerId, ownerId), eq(clientIdTombstones.clientId, key)),
    )) > 0
  );
}
