import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { openDatabase, type Database } from './database.ts';

const postgres = inject('postgres');
const opened: Database[] = [];
const open = (size: number) => {
  const database = openDatabase(postgres, () => undefined, { size });
  opened.push(database);
  return database;
};
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

const cut = (client: pg.PoolClient) => client.connection.stream.destroy();

// An unhandled 'error' event would crash the program. In this test, it would fail the whole run.
test('losing the connection during a transaction fails only that transaction', async () => {
  const database = open(1);
  const other = open(1);
  const begun = database.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await other.db.execute(sql`select pg_terminate_backend(${rows[0]!.pid})`);
    // Gives the server time to close the connection between two queries, as can happen while a transaction
    // moves a file.
    await sleep(50);
    await tx.execute(sql`select 1`);
  });
  await expect(begun).rejects.toThrow();
  await database.check();
});

test('a connection whose BEGIN failed is released and does not block closing the pool', async () => {
  const database = open(1);
  database.pool.once('acquire', cut);
  await expect(database.db.transaction(() => Promise.resolve('begun'))).rejects.toThrow();
  await database.check();
  await database.close();
  opened.splice(0);
});

test('a connection whose ROLLBACK failed is not reused', async () => {
  const database = open(1);
  await database.db.execute(sql`create table if not exists left_open (who text)`);
  const begun = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into left_open values ('first')`);
    // Makes ROLLBACK fail as if the connection were lost, and then lets the work fail.
    const client = (tx as unknown as { session: { client: pg.PoolClient } }).session.client;
    client.query = () => Promise.reject(new Error('lost'));
    throw new Error('the work failed');
  });
  await expect(begun).rejects.toThrow();
  await database.db.transaction((tx) => tx.execute(sql`insert into left_open values ('second')`));
  const { rows } = await database.db.execute(sql`select who from left_open`);
  await database.db.execute(sql`drop table left_open`);
  expect(rows).toEqual([{ who: 'second' }]);
});
