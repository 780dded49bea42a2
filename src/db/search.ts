import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { AppError } from '../platform/contract/errors.ts';
import type { Limits } from './pool.ts';
import { connectionOf, type Db } from './transaction.ts';
import { hasGivenUp } from './unavailable.ts';

/**
 * Runs a search in a transaction: each statement has a limit of its own, and the one under way is cancelled when
 * `signal` is aborted, because nobody waits for it any more.
 * @throws AppError 'unavailable' when it takes too long
 */
export type Search = <T>(work: (tx: Db) => Promise<T>, signal?: AbortSignal) => Promise<T>;

export const searchesOn =
  (pool: pg.Pool, limits: Limits): Search =>
  async (work, signal) => {
    const client = await connectionOf(pool);
    const cancelling: Promise<unknown>[] = [];
    const cancel = () => {
      // The driver has no way to cancel a query of a pool.
      const told = pool.query('select pg_cancel_backend($1)', [pidOf(client)]);
      cancelling.push(told.catch(() => undefined));
    };
    signal?.addEventListener('abort', cancel);
    try {
      return await drizzle(client).transaction(async (tx) => {
        await tx.execute(sql`select set_config('statement_timeout', ${String(limits.search)}, true)`);
        signal?.throwIfAborted();
        return work(tx);
      });
    } catch (error) {
      if (hasGivenUp(error) && !signal?.aborted) throw new AppError('unavailable', TOO_LONG);
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      // Until the server has been told, the connection is kept from others: what is cancelled is this search or
      // nothing. The signal may still be on its way to the session, which therefore ends.
      await Promise.all(cancelling);
      client.release(cancelling.length > 0 || client.getTransactionStatus() !== 'I');
    }
  };

/** Not in the types: the number of the session at the server. */
const pidOf = (client: pg.PoolClient) => (client as { processID?: number }).processID;

const TOO_LONG = 'This search takes too long. Please try it with fewer or longer words.';
