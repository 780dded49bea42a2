import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './transaction.ts';

// Advisory locks apply across processes and last until their connection ends. The numbers are arbitrary ones that no
// other program on the same server uses.

export const MIGRATION_LOCK = 7_263_549_120;
const BACKUP_LOCK = 7_263_549_121;
const SWEEP_LOCK = 7_263_549_122;

/** Takes the lock, waiting for any other backup to finish. */
export const takeBackupLock = (client: pg.ClientBase) =>
  client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);

/**
 * Returns whether a backup is running. It may still have to read a file whose row has been deleted since it started;
 * a later backup doesn't see the row at all.
 */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ isFree: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) as "isFree"`,
  );
  return !rows[0]!.isFree;
}

/**
 * Takes the lock, waiting for another process's sweep. A connection that already has the lock gets it again at once.
 */
export const takeSweepLock = (client: pg.ClientBase) =>
  client.query('select pg_advisory_lock($1)', [SWEEP_LOCK]);

/** @returns false if another process has it */
export async function tryTakeSweepLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
    SWEEP_LOCK,
  ]);
  return rows[0]!.isOurs;
}
