import { sql } from 'drizzle-orm';
import { afterAll, expect, inject, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';
import { prepareDatabase } from './prepare-database.ts';
import { openDatabase } from './database.ts';

const UNAVAILABLE = {
  status: 503,
  body: { message: expect.stringMatching(/^The server isn’t available right now\./) as string },
};

const postgres = inject('postgres');
const app = await startTestApp({ alone: true });
await app.make.student({ username: 'pema' });
const student = await app.as(await app.make.student());
const operator = openDatabase(postgres, () => undefined);
afterAll(() => operator.close());

const name = sql.identifier(app.databaseName);
const signIn = () => app.visitor().post('/api/login', { username: 'pema', password: TEST_PASSWORD });
const ready = async () => (await app.visitor().get('/api/ready')).status;

/** Simulates the demotion of a server: existing connections are lost, and new ones can't write. */
async function becomeReadOnly() {
  await operator.db.execute(sql`alter database ${name} set default_transaction_read_only = on`);
  await operator.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${app.databaseName}`,
  );
}

test('write requests fail with 503 only while the database is read-only', async () => {
  await becomeReadOnly();
  await waitFor(async () => expect((await student.get('/api/melodies')).status).toBe(200));
  expect(await signIn()).toMatchObject(UNAVAILABLE);
  const take = { bytes: createTone(1), name: 'kyab.wav' };
  expect(await student.form('/api/recordings', { title: 'Kyab', audio: take })).toMatchObject(UNAVAILABLE);
  expect(await ready()).toBe(503);
  expect((await student.get('/api/melodies')).status).toBe(200);

  // Opens several connections while the database is read-only. When one of them fails to write, the pool has to
  // close all of them.
  await waitFor(async () => {
    await Promise.all(Array.from({ length: 8 }, () => app.db.execute(sql`select pg_sleep(0.05)`)));
    expect(app.database.pool.totalCount).toBeGreaterThan(4);
  });
  expect(await signIn()).toMatchObject(UNAVAILABLE);
  await waitFor(() => expect(app.database.pool.totalCount).toBe(0));
  await operator.db.execute(sql`alter database ${name} reset default_transaction_read_only`);
  const replies = await Promise.all(Array.from({ length: 4 }, signIn));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await waitFor(async () => expect(await ready()).toBe(200));
});

test('startup on a read-only database fails with an explanation', async () => {
  const connection = { ...postgres, database: app.databaseName };
  await becomeReadOnly();
  const database = openDatabase(connection, () => undefined);
  const url = `postgres://yangchen@db.example.org/${app.databaseName}`;
  await expect(prepareDatabase(database, url)).rejects.toThrow(
    `The database ${app.databaseName} at db.example.org:5432 is read-only`,
  );
  await database.close();
  await operator.db.execute(sql`alter database ${name} reset default_transaction_read_only`);
});
