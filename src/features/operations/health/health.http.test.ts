import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { inject } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { runStatement } from '#testing/postgres.ts';

let checkStore: () => Promise<void>;
const answers = () => Promise.resolve();
const app = await startTestApp({
  // Uses a single server, because each server caches the result of its last check.
  alone: true,
  store: (real) => {
    checkStore = real.check;
    return { ...real, check: () => checkStore() };
  },
});
const getStatusAndBody = async (path: string) => {
  const { status, body } = await app.visitor().get(path);
  return [status, body] as unknown;
};
const READY = [200, { status: 'ready' }];
const NOT_READY = [503, { message: 'Not ready' }];

test('without a database, the program is alive but not ready', async () => {
  await expect.poll(() => getStatusAndBody('/api/ready')).toEqual(READY);
  const postgres = inject('postgres');
  const { rows } = await app.database.pool.query<{ name: string }>('select current_database() as name');
  const name = rows[0]!.name;
  await runStatement(postgres, `alter database ${name} with allow_connections false`);
  await runStatement(
    postgres,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
  );
  try {
    expect(await getStatusAndBody('/api/ready')).toEqual(NOT_READY);
    expect((await app.visitor().get('/api/health')).status).toBe(200);
  } finally {
    await runStatement(postgres, `alter database ${name} with allow_connections true`);
  }
  await expect.poll(() => getStatusAndBody('/api/ready')).toEqual(READY);
});

test('tells the teacher the state of the database, files, disk and version', async () => {
  const teacher = await app.as(await app.make.teacher());
  const healthy = {
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    database: { isWritable: true },
    media: { state: 'ok', damagedFiles: 0 },
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number), isLow: false },
  };
  const state = async () => (await teacher.get('/api/admin/server')).body as unknown;
  await expect.poll(state).toEqual(healthy);
  checkStore = () => Promise.reject(new Error('The disk is away'));
  await app.make.melody({ title: 'Refuge' });
  await app.db.execute(sql`update media_files set damage = 'missing'`);
  expect(await state()).toEqual({ ...healthy, media: { state: 'failed', damagedFiles: 1 } });
  await app.db.execute(sql`update media_files set damage = null`);
  checkStore = answers;
});

test('without a media store, the program is not ready', async () => {
  checkStore = () => Promise.reject(new Error('The disk is away'));
  expect(await getStatusAndBody('/api/ready')).toEqual(NOT_READY);
  checkStore = answers;
  await expect.poll(() => getStatusAndBody('/api/ready')).toEqual(READY);
});

test('with a slow media store, the program is ready but reports a warning', async () => {
  let answer = () => {};
  checkStore = () => new Promise<void>((resolve) => (answer = resolve));
  expect(await getStatusAndBody('/api/ready')).toEqual([200, { status: 'ready', warnings: ['media-slow'] }]);
  checkStore = answers;
  answer();
  await expect.poll(() => getStatusAndBody('/api/ready')).toEqual(READY);
});
