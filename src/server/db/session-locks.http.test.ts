import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, test } from 'vitest';
import { runStatement, TEMPLATE_DATABASE } from '#testing/postgres.ts';
import { prepareDatabase } from './prepare-database.ts';
import { MIGRATION_LOCK_KEY } from './advisory-locks.ts';
import { openDatabase, type ConnectionSettings } from './database.ts';
import { isTransactionPooled } from './transaction-pooling.ts';

const postgres = inject('postgres');
const database = `locks_${randomUUID().replaceAll('-', '')}`;
const direct = { ...postgres, database };
await runStatement(postgres, `create database ${database} template ${TEMPLATE_DATABASE}`);
afterAll(() => runStatement(postgres, `drop database ${database} with (force)`));

const URL_OF_IT = `postgres://yangchen@db.example.org/${database}`;

async function prepare(connection: ConnectionSettings, migrationLockMs?: number) {
  const opened = openDatabase(connection, () => undefined);
  try {
    await prepareDatabase(opened, URL_OF_IT, undefined, migrationLockMs);
  } finally {
    await opened.close();
  }
}

test('does not detect transaction pooling on a direct connection', async () => {
  expect(await isTransactionPooled(direct)).toBe(false);
});

test('startup fails with an explanation while another process holds the migration lock', async () => {
  const other = openDatabase(direct, () => undefined);
  const client = await other.pool.connect();
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK_KEY]);
  await expect(prepare(direct, 50)).rejects.toThrow(
    `Another process has been updating the tables of the database ${database} at db.example.org:5432`,
  );
  client.release(true);
  await other.close();
  await prepare(direct);
});
