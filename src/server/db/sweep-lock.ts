import type pg from 'pg';

/** An arbitrary number that no other program on the same server uses for an advisory lock. */
const SWEEP_LOCK = 7_263_549_122;

// Both until the connection ends. Whoever has the lock gets it again at once.

/** Waits for whoever has it. */
export const holdSweepLock = (client: pg.ClientBase) =>
  client.query('select pg_advisory_lock($1)', [SWEEP_LOCK]);

/** @returns false if another process has it */
export async function trySweepLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
    SWEEP_LOCK,
  ]);
  return rows[0]!.isOurs;
}
