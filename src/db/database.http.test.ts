import { expect, inject, test, vi } from 'vitest';
import { openDatabase } from './database.ts';

const postgres = inject('postgres');

/** A pool with some idle connections, and what it has told of them. */
async function withIdleConnections() {
  const told: string[] = [];
  const database = openDatabase(postgres, (error) => told.push(error.message));
  const pids = await Promise.all(
    [1, 2, 3].map(
      async () => (await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid,
    ),
  );
  return { database, pids, told };
}

test('an idle connection that the server drops is told of, and the next query has a new one', async () => {
  const { database, pids, told } = await withIdleConnections();
  const other = openDatabase(postgres, () => undefined);
  await other.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
  await vi.waitFor(() => expect(told).toHaveLength(new Set(pids).size));
  expect(told[0]).toBe('terminating connection due to administrator command');
  await database.check();
  await Promise.all([database.close(), other.close()]);
});

test('one that the server drops while it is being closed is nobody’s concern', async () => {
  const { database, told } = await withIdleConnections();
  const closing = database.close();
  // As a server says it that ends right behind its clients: the pool does not wait for its connections to end.
  const notice = new Error('terminating connection due to administrator command');
  database.pool.emit('error', notice, null);
  await closing;
  expect(told).toEqual([]);
});
