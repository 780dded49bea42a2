import { sql } from 'drizzle-orm';
import { afterAll, expect, inject, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { countLockWaiters, waitForLockWaiters, waitFor } from '#testing/wait-for.ts';
import { openDatabase } from './database.ts';

const app = await startTestApp({ environment: { DATABASE_POOL: '4' }, databaseLimits: { search: 600_000 } });
const teacher = await app.as(await app.make.teacher());
await app.make.melody({ title: 'Kyab' });
const direct = openDatabase({ ...inject('postgres'), database: app.databaseName }, () => undefined);
afterAll(() => direct.close());

test('cancels running and queued searches when their client disconnects', async () => {
  const disconnect = new AbortController();
  const another = await app.as(await app.make.teacher());
  const search = (signal?: AbortSignal, by = teacher) =>
    fetch(`${app.url}/api/melodies?q=kyab`, {
      headers: { cookie: `session=${by.cookies.get('session')}` },
      ...(signal && { signal }),
    });
  await direct.db.transaction(async (tx) => {
    await tx.execute(sql`lock table melodies in access exclusive mode`);
    // Starts more searches than may run concurrently, so that some are still queued when the client
    // disconnects.
    const left = Array.from({ length: 6 }, (_, at) =>
      search(disconnect.signal, at % 2 === 0 ? teacher : another).catch(() => 'gone'),
    );
    await waitForLockWaiters(direct.db, 3);
    disconnect.abort();
    await Promise.all(left);
    await waitFor(async () => expect(await countLockWaiters(direct.db)).toBe(0));
  });
  expect((await search()).status).toBe(200);
  expect((await teacher.get('/api/melodies')).status).toBe(200);
});

test('closes the database connection of a cancelled search instead of reusing it', async () => {
  const database = openDatabase(app.database.connection, () => undefined, { size: 2 });
  const pidOf = async () =>
    (await database.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]!.pid;
  const disconnect = new AbortController();
  let pid = 0;
  const search = database.search(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    pid = rows[0]!.pid;
    disconnect.abort();
    await tx.execute(sql`select pg_sleep(600)`);
  }, disconnect.signal);
  await expect(search).rejects.toMatchObject({ cause: { code: '57014' } });
  for (let i = 0; i < 4; i += 1) expect(await pidOf()).not.toBe(pid);
  await database.close();
});

test('a search times out earlier than other database statements', async () => {
  const short = openDatabase(app.database.connection, () => undefined, { size: 1, search: 50 });
  await expect(short.search((tx) => tx.execute(sql`select pg_sleep(600)`))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'This search is taking too long. Please try fewer or longer words.',
  });
  await short.db.execute(sql`select pg_sleep(0.2)`);
  await short.close();
});
