import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { prepareDatabase } from '#server/db/prepare-database.ts';
import { openDatabase } from '#server/db/database.ts';
import { startTestApp } from '#testing/app.ts';
import { startPgBouncer, explainMissingPgBouncer } from '#testing/pgbouncer.ts';
import { runStatement, TEMPLATE_DATABASE } from '#testing/postgres.ts';

const missing = explainMissingPgBouncer();
beforeEach((test) => {
  if (missing) test.skip(missing);
});

const postgres = inject('postgres');
const database = `pooled_${randomUUID().replaceAll('-', '')}`;

if (!missing) await runStatement(postgres, `create database ${database} template ${TEMPLATE_DATABASE}`);
afterAll(async () => {
  if (!missing) await runStatement(postgres, `drop database ${database} with (force)`);
});

async function prepareThrough(mode: 'session' | 'transaction') {
  const { connection, end } = await startPgBouncer({ ...postgres, database }, mode);
  onTestFinished(end);
  const opened = openDatabase(connection, () => undefined);
  onTestFinished(() => opened.close());
  await prepareDatabase(opened, `postgres://${connection.host}:${connection.port}/${database}`);
  return connection;
}

test('PgBouncer in session mode serves queries and notifications', async () => {
  const { host, port } = await prepareThrough('session');
  const app = await startTestApp({ through: { host, port }, alone: true });
  await app.as(await app.make.student());
  await app.untilHeard();
});

test('rejects PgBouncer in transaction mode before taking a lock through it', async () => {
  await expect(prepareThrough('transaction')).rejects.toThrow(
    /^DATABASE_URL points to a connection pooler in transaction mode, .* Set pool_mode = session .*\.$/,
  );
  const direct = openDatabase({ ...postgres, database }, () => undefined);
  onTestFinished(() => direct.close());
  const { rows } = await direct.pool.query(`select 1 from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`);
  expect(rows).toEqual([]);
});
