import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './transaction.ts';

// Advisory locks apply across processes and are released when their connection ends. The numbers are arbitrary,
// so that other programs on the same server are unlikely to use them.

export const MIGRATION_LOCK_KEY = 7_263_549_120;
const BACKUP_LOCK = 7_263_549_121;
const SWEEP_LOCK = 7_263_549_122;

/** Takes the backup lock, after any other backup has finished. */
export const acquireBackupLock = (client: pg.ClientBase) =>
  client.query('select pg_advisory_lock($1)', [BACKUP_LOCK]);

/**
 * Returns whether a backup is running. While it runs, files must be kept even if their rows are deleted,
 * because the backup may still read them. Backups that start later don't see the deleted rows.
 */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ isFree: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) as "isFree"`,
  );
  return !rows[0]!.isFree;
}

/**
 * Takes the sweep lock, after any sweep of another process has finished. Returns immediately if the connection
 * already holds the lock.
 */
export const acquireSweepLock = (client: pg.ClientBase) =>
  client.query('select pg_advisory_lock($1)', [SWEEP_LOCK]);

/** @returns false if another process holds the lock */
export async function tryAcquireSweepLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
    SWEEP_LOCK,
  ]);
  return rows[0]!.isOurs;
}
