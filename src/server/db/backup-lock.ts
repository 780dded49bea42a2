import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './transaction.ts';

/** An arbitrary number that no other program on the same server uses for an advisory lock. */
const BACKUP_LOCK = 7_263_549_121;

/** Until the connection ends; waits for another backup. */
export const holdBackupLock = (client: pg.ClientBase) =>
  client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);

/**
 * Whether a backup is being taken, which may still have to read a file whose row is deleted by now. One that begins
 * later does not know the row.
 */
export async function isBeingBackedUp(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ isFree: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) as "isFree"`,
  );
  return !rows[0]!.isFree;
}
