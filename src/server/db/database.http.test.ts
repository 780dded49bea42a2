import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { runStatement, TEMPLATE_DATABASE } from '#testing/postgres.ts';
import { migrateDatabase, openDatabase } from './database.ts';
import { waitFor } from '#testing/wait-for.ts';

const postgres = inject('postgres');

/** Opens a pool with some idle connections, and collects the errors that it reports. */
async function withIdleConnections() {
  const reported: string[] = [];
  const database = openDatabase(postgres, (error) => reported.push(error.message));
  const pids = await Promise.all(
    [1, 2, 3].map(
      async () => (await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid,
    ),
  );
  return { database, pids, reported };
}

test('reports and replaces an idle connection that the server drops', async () => {
  const { database, pids, reported } = await withIdleConnections();
  const other = openDatabase(postgres, () => undefined);
  await other.pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
  await waitFor(() => expect(reported).toHaveLength(new Set(pids).size));
  expect(reported[0]).toBe('terminating connection due to administrator command');
  await database.check();
  await Promise.all([database.close(), other.close()]);
});

test('does not report a connection that the server drops while the pool closes', async () => {
  const { database, reported } = await withIdleConnections();
  const closing = database.close();
  // Emits the error of a server that shuts down right after its clients. The pool does not wait until its
  // connections are closed, so the server can still drop some.
  const notice = new Error('terminating connection due to administrator command');
  database.pool.emit('error', notice, null);
  await closing;
  expect(reported).toEqual([]);
});

test('rejects a database migrated by a newer version, and leaves it unchanged', async () => {
  const name = `newer_${randomUUID().replaceAll('-', '')}`;
  await runStatement(postgres, `create database ${name} template ${TEMPLATE_DATABASE}`);
  const database = openDatabase({ ...postgres, database: name }, () => undefined);
  const migrations = async () =>
    (await database.pool.query('select hash, created_at from drizzle.__drizzle_migrations order by id')).rows;
  try {
    await migrateDatabase(database);
    await database.pool.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at)
       select 'of a later version', max(created_at) + 1 from drizzle.__drizzle_migrations`,
    );
    const before = await migrations();
    await expect(migrateDatabase(database)).rejects.toThrow(
      /^This database was last used by a newer version of Yangchen\. .*Nothing was changed\.$/,
    );
    expect(await migrations()).toEqual(before);
  } finally {
    await database.close();
    await runStatement(postgres, `drop database ${name} with (force)`);
  }
});
