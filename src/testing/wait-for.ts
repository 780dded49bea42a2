import { sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { TestClient } from './client.ts';

/**
 * Returns the number of connections to this database that wait for a lock.
 * @param db not a transaction, like the parameter of {@link waitForLockWaiters}
 */
export async function countLockWaiters(db: Db): Promise<number> {
  const { rows } = await db.execute(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}

/**
 * Resolves when at least this many connections to this database wait for a lock.
 * @param db not a transaction, which would see the same snapshot again and again
 */
export const waitForLockWaiters = (db: Db, count: number): Promise<void> =>
  waitFor(async () => expect(await countLockWaiters(db)).toBeGreaterThanOrEqual(count), { interval: 5 });

/**
 * Resolves once a check passes. Waits up to half a minute by default, so that tests don't fail on a busy
 * machine.
 */
export const waitFor = <T>(
  check: () => T | Promise<T>,
  { timeout = 30_000, interval = 20 } = {},
): Promise<T> => vi.waitFor(check, { timeout, interval });

/**
 * Resolves once the program is ready. Retries, because on a busy machine a single request may time out first.
 */
export const waitUntilProgramReady = (url: string): Promise<void> =>
  waitFor(async () => expect((await new TestClient(url).get('/api/ready')).status).toBe(200));
