import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { AppError } from '#shared/errors.ts';
import type { DatabaseTimeouts } from './pool.ts';
import { getConnection, releaseConnection, type Db } from './transaction.ts';
import { isQueryCancelledError } from './database-errors.ts';

/**
 * Runs a search in a transaction. Its statements have a shorter timeout, and aborting `signal` cancels the
 * current statement.
 * @throws AppError 'unavailable' if a statement times out; another Error if `signal` is aborted
 */
export type SearchRunner = <T>(work: (tx: Db) => Promise<T>, signal?: AbortSignal) => Promise<T>;

export const createSearchRunner =
  (pool: pg.Pool, limits: DatabaseTimeouts): SearchRunner =>
  async (work, signal) => {
    const client = await getConnection(pool);
    const cancelling: Promise<unknown>[] = [];
    let failure: unknown;
    const cancel = () => {
      // Sent as a query, because the driver can't cancel queries of a pool.
      const cancelSent = pool.query('select pg_cancel_backend($1)', [getProcessId(client)]);
      cancelling.push(cancelSent.catch(() => undefined));
    };
    signal?.addEventListener('abort', cancel);
    try {
      return await drizzle(client).transaction(async (tx) => {
        await tx.execute(sql`select set_config('statement_timeout', ${String(limits.search)}, true)`);
        signal?.throwIfAborted();
        return work(tx);
      });
    } catch (error) {
      failure = error;
      if (isQueryCancelledError(error) && !signal?.aborted)
        throw new AppError('unavailable', SEARCH_TOO_SLOW);
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      // Waits until the cancel requests have been executed, so that none is sent after another user has got
      // this connection. The resulting signal may still be on its way, so the connection is closed, not
      // reused.
      await Promise.all(cancelling);
      if (cancelling.length > 0) client.release(true);
      else releaseConnection(client, failure);
    }
  };

/** Returns the session's process id on the server, which is missing from the types. */
const getProcessId = (client: pg.PoolClient) => (client as { processID?: number }).processID;

const SEARCH_TOO_SLOW = 'This search is taking too long. Please try fewer or longer words.';
