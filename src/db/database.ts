import { sql } from 'drizzle-orm';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { migrationsFolder, refuseNewerDatabase } from './newer-database.ts';
import * as schema from './schema.ts';

/** The database, or a transaction on it: every store function takes one. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>;

export type Database = {
  db: Db;
  pool: pg.Pool;
  /** Resolves when the database answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
};

export type Connection =
  { connectionString: string } | { host: string; port: number; user: string; database: string };

/** Opens a pool; nothing is connected before the first query. */
export function openDatabase(connection: Connection, onIdleError: (error: Error) => void): Database {
  const pool = new pg.Pool({ ...connection, max: 20, connectionTimeoutMillis: 10_000 });
  let isClosing = false;
  // Without a listener, an idle connection that the server drops would end the process. The pool ends without waiting
  // for its connections: a server that is stopped right behind it drops what is being closed anyway.
  pool.on('error', (error) => {
    if (!isClosing) onIdleError(error);
  });
  const db = drizzle(pool, { schema });
  return {
    db,
    pool,
    check: async () => {
      await db.execute(sql`select 1`);
    },
    close: () => {
      isClosing = true;
      return pool.end();
    },
  };
}

/** Any number that no other program on the same server uses for its own lock. */
const MIGRATION_LOCK = 7_263_549_120;

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it.
 * @throws NewerDatabase
 */
export async function migrateDatabase(database: Database): Promise<void> {
  const client = await database.pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseNewerDatabase(client);
    await migrate(drizzle(client, { schema }), { migrationsFolder });
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A failed connection is closed, not reused: closing is what gives up the lock.
    client.release(failure);
  }
}

/** The SQLSTATE of a failed query, which the driver's wrapper carries as its cause; null for anything else. */
export function sqlStateOf(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof pg.DatabaseError && at.code) return at.code;
  }
  return null;
}

/** Whether a unique constraint, by its name in the schema, refused the row. */
export function violates(error: unknown, constraint: string): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof pg.DatabaseError && at.constraint === constraint) return true;
  }
  return false;
}
