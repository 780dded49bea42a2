import { and, eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import { spentKeys } from './schema.ts';

/** Owner of keys that are unique for all users. */
export const SHARED = '';

/**
 * Spends idempotency keys, in the transaction that deletes what they made: a late duplicate of the call must not make it
 * again. Calls without a key are null.
 * @param ownerId the user whose keys they are, or {@link SHARED}
 */
export async function spendKeys(tx: Db, ownerId: string, keys: readonly (string | null)[]): Promise<void> {
  const rows = keys.filter((clientId) => clientId !== null).map((clientId) => ({ ownerId, clientId }));
  if (rows.length > 0) await tx.insert(spentKeys).values(rows).onConflictDoNothing();
}

/** For when the owner is deleted, who can make no more calls. */
export const forgetKeys = (tx: Db, ownerId: string) =>
  tx.delete(spentKeys).where(eq(spentKeys.ownerId, ownerId));

/**
 * Whether what the key made was deleted. A transaction that makes something asks after its insert: the unique key makes
 * the insert wait for a concurrent deletion.
 */
export async function isSpent(db: Db, ownerId: string, key: string | null | undefined): Promise<boolean> {
  if (!key) return false;
  return (await db.$count(spentKeys, and(eq(spentKeys.ownerId, ownerId), eq(spentKeys.clientId, key)))) > 0;
}
