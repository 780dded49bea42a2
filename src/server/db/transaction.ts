import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { isDatabaseDownError } from './database-errors.ts';

/** The database, or a transaction on it. Every store function takes it as a parameter. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;

/**
 * Creates a replacement for Drizzle's `transaction` (0.45, `node-postgres/session.js`), which has two bugs. If
 * `begin` fails, it never releases the connection, so the pool shrinks each time and can't be closed. If
 * `rollback` fails, it releases the connection as healthy, so the next user's queries run in another user's
 * transaction.
 */
export const createTransactionRunner =
  (pool: pg.Pool): Db['transaction'] =>
  async (work, config) => {
    const client = await getConnection(pool);
    let failure: unknown;
    try {
      // With a single connection instead of a pool, Drizzle doesn't acquire and release connections itself.
      return await drizzle(client).transaction(work, config);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      releaseConnection(client, failure);
    }
  };

/** @throws DrizzleQueryError if no connection is available, like any query that fails */
export async function getConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DrizzleQueryError('begin', [], error as Error);
  }
}

/** Releases a connection. Closes it if the server was unavailable, or if a transaction is still open on it. */
export function releaseConnection(client: pg.PoolClient, failure: unknown) {
  client.release(isDatabaseDownError(failure) ? (failure as Error) : client.getTransactionStatus() !== 'I');
}
