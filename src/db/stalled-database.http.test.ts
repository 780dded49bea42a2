import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest';
import { listenOn } from '../platform/server/listening.ts';
import { startTestApp } from '../testing/app.ts';
import { stallingProxy } from '../testing/stalling-proxy.ts';
import { tone } from '../testing/tone.ts';
import { untilWaiting } from '../testing/waiting.ts';
import { openDatabase } from './database.ts';

const NO_DATABASE = {
  message:
    'The server cannot reach its database just now. Nothing you typed or sang is lost. Please try again in a moment.',
};
const FOR_EVER = 600_000;

const postgres = inject('postgres');
const proxy = await stallingProxy(postgres);
const app = await startTestApp({ through: proxy, databaseLimits: { connect: 300, silence: 300 } });
const student = await app.as(await app.make.student({ username: 'tashi' }));
/** Looks past the network. */
const direct = openDatabase({ ...postgres, database: app.databaseName }, () => undefined);
afterEach(() => proxy.resume());
afterAll(async () => {
  await direct.close();
  await proxy.end();
});

test('behind a network that falls silent after a quiet while, signing in and lists answer that the database is away, until it is back', async () => {
  await student.get('/api/melodies');
  // Longer than the limit: idle connections are none the worse for it.
  await sleep(500);
  proxy.stall();
  const asked = [
    () => app.visitor().post('/api/login', { username: 'tashi', password: 'some-password' }),
    () => student.get('/api/melodies'),
  ];
  for (const ask of asked) {
    const reply = await ask();
    expect(reply.status).toBe(503);
    expect(reply.body).toEqual(NO_DATABASE);
    expect(reply.headers.get('retry-after')).toBe('5');
  }
  proxy.resume();
  expect((await student.get('/api/melodies')).status).toBe(200);
});

test('whether it is ready is answered while a query would wait for ever, also to a browser that is signed in', async () => {
  const patient = await startTestApp({
    through: proxy,
    databaseLimits: { connect: FOR_EVER, silence: FOR_EVER, end: 10 },
  });
  const browser = await patient.as(await patient.make.student());
  proxy.stall();
  expect((await patient.visitor().get('/api/ready')).status).toBe(503);
  expect((await browser.get('/api/ready')).status).toBe(503);
  expect((await browser.get('/api/health')).status).toBe(200);
  proxy.resume();
  await vi.waitFor(async () => expect((await browser.get('/api/ready')).status).toBe(200));
});

test('what was committed, though nobody heard so, keeps its file', async () => {
  const staging = join(app.dataDir, 'staging');
  await mkdir(staging, { recursive: true });
  const path = join(staging, 'unheard');
  await writeFile(path, tone(1));
  const row = {
    name: 'unheard.wav',
    slot: 'recording-audio',
    contentType: 'audio/wav',
    size: 1,
    sha256: 'x',
  } as const;
  const kept = app.services.media.saveInTransaction([{ path, row }], async (tx) => {
    await tx.execute(sql`select 1`);
    // The next thing on its way is COMMIT.
    proxy.stall();
  });
  await expect(kept).rejects.toThrow();
  expect(await app.files()).toContain('unheard.wav');
  proxy.resume();
  await vi.waitFor(async () => {
    const { rows } = await direct.db.execute(sql`select name from media_files`);
    expect(rows).toEqual([{ name: 'unheard.wav' }]);
  });
});

test('a query that waits for somebody else’s lock comes to its limit, and a person is asked to try again', async () => {
  const short = await startTestApp({ databaseLimits: { lock: 50 }, beside: app });
  const other = await short.as(await app.make.student());
  await direct.db.transaction(async (tx) => {
    await tx.execute(sql`lock table melodies in access exclusive mode`);
    const reply = await other.get('/api/melodies');
    expect([reply.status, reply.body]).toEqual([503, NO_DATABASE]);
  });
});

test('a statement that takes too long comes to its limit, but a transaction of many does not', async () => {
  const database = openDatabase(postgres, () => undefined, { statement: 200, idleInTransaction: 200 });
  await expect(database.db.execute(sql`select pg_sleep(60)`)).rejects.toMatchObject({
    cause: { code: '57014' },
  });
  await database.db.transaction(async (tx) => {
    for (let i = 0; i < 5; i += 1) await tx.execute(sql`select pg_sleep(0.05)`);
  });
  await database.close();
});

test('lists that all wait leave connections for signing in and reading one melody', async () => {
  const small = await startTestApp({ beside: app, environment: { DATABASE_POOL: '4' } });
  const melody = await app.make.melody({ level: 'Open to All' });
  const pema = await app.make.student({ username: 'pema', levels: ['Open to All'] });
  const browser = await small.as(pema);
  const another = await small.as(await app.make.student());
  const lists = await direct.db.transaction(async (tx) => {
    // What these lists need, and what is asked beside them does not.
    await tx.execute(sql`lock table feedback in access exclusive mode`);
    const asked = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? browser : another).get('/api/feedback'),
    );
    await untilWaiting(direct.db, 3);
    expect((await browser.get(`/api/melodies/${melody.id}`)).status).toBe(200);
    const wrong = await small.visitor().post('/api/login', { username: 'pema', password: 'not-this-one' });
    expect(wrong.status).toBe(401);
    return { asked };
  });
  const replies = await Promise.all(lists.asked);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test('who only listens notices a silent network, and listens again behind it', async () => {
  const warned = vi.fn();
  const began = vi.fn();
  const heard: string[] = [];
  const connection = { ...postgres, host: proxy.host, port: proxy.port };
  const listening = listenOn(
    'silence',
    connection,
    { onNotice: (payload) => heard.push(payload), onBegin: began },
    { warn: warned },
    { everyMs: 20, answerMs: 100 },
  );
  await vi.waitFor(() => expect(began).toHaveBeenCalledTimes(1));
  proxy.stall();
  await vi.waitFor(() => expect(warned).toHaveBeenCalled(), 10_000);
  proxy.resume();
  await vi.waitFor(() => expect(began).toHaveBeenCalledTimes(2), 10_000);
  const other = openDatabase(postgres, () => undefined);
  await other.db.execute(sql`select pg_notify('silence', 'Kyab')`);
  await vi.waitFor(() => expect(heard).toEqual(['Kyab']));
  await other.close();
  await listening.stop();
});

test('who only listens ends behind a silent network too, where nobody says goodbye', async () => {
  const began = vi.fn();
  const connection = { ...postgres, host: proxy.host, port: proxy.port };
  const listening = listenOn('quiet', connection, { onNotice: vi.fn(), onBegin: began }, { warn: vi.fn() });
  await vi.waitFor(() => expect(began).toHaveBeenCalledTimes(1));
  proxy.stall();
  await listening.stop();
});
