import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { MIGRATION_LOCK_KEY } from './advisory-locks.ts';
import { applyMigrations, assertDatabaseNotNewer } from './migrations.ts';
import { withDedicatedConnection } from './dedicated-connection.ts';
import {
  DEFAULT_DATABASE_TIMEOUTS,
  openPool,
  type ConnectionSettings,
  type DatabaseTimeouts,
} from './pool.ts';
import { createSearchRunner, type SearchRunner } from './search.ts';
import { createTransactionRunner, type Db } from './transaction.ts';

export type { ConnectionSettings } from './pool.ts';
export type { Db } from './transaction.ts';

export type Database = {
  db: Db;
  search: SearchRunner;
  pool: pg.Pool;
  connection: ConnectionSettings;
  /** Resolves if the database responds; rejects otherwise. */
  check(): Promise<void>;
  /** Closes all connections. Those in use get a short grace period. */
  close(): Promise<void>;
};

/**
 * Creates a connection pool, which connects on the first query.
 * @param size maximum number of connections
 */
export function openDatabase(
  connection: ConnectionSettings,
  onIdleError: (error: Error) => void,
  { size = 20, ...given }: { size?: number } & Partial<DatabaseTimeouts> = {},
): Database {
  const limits = { ...DEFAULT_DATABASE_TIMEOUTS, ...given };
  const { pool, end } = openPool(connection, size, limits);
  let isClosing = false;
  // Without an error handler, an idle connection that the server drops would crash the process. Errors are
  // ignored while the pool closes: it doesn't wait until its connections are closed, so a server that is
  // stopped right afterwards can still drop some.
  pool.on('error', (error) => {
    if (!isClosing) onIdleError(error);
  });
  const db: Db = drizzle(pool);
  db.transaction = createTransactionRunner(pool);
  return {
    db,
    search: createSearchRunner(pool, limits),
    pool,
    connection,
    check: async () => {
      await db.execute(sql`select 1`);
    },
    close: () => {
      isClosing = true;
      return end();
    },
  };
}

const MIGRATION_LOCK_TIMEOUT_MS = 120_000;

/**
 * Migrates the schema. If several processes start at the same time, one migrates while the others wait.
 * @throws NewerDatabaseError
 */
export const migrateDatabase = (
  { connection }: Pick<Database, 'connection'>,
  lockTimeoutMs = MIGRATION_LOCK_TIMEOUT_MS,
): Promise<void> =>
  withDedicatedConnection(connection, async (client) => {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    // The lock is released when the connection ends.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_KEY]);
    await client.query('set lock_timeout = 0');
    await assertDatabaseNotNewer(client);
    await applyMigrations(client);
  });

/** Returns the SQLSTATE of an error that is, or was caused by, a failed query; null for any other error. */
export function getSqlState(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof pg.DatabaseError && at.code) return at.code;
  }
  return null;
}

/** Returns whether the error is, or was caused by, a violation of the constraint with this name. */
export function isConstraintViolationOf(error: unknown, constraint: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof pg.DatabaseError && at.constraint === constraint) return true;
  }
  return false;
}
