import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, expect, inject, test, vi } from 'vitest';
import { listenOnChannel } from './listening.ts';
import { startTestApp } from '#testing/app.ts';
import { createStallingProxy } from '#testing/stalling-proxy.ts';
import { createTone } from '#testing/tone.ts';
import { waitForLockWaiters, waitFor } from '#testing/wait-for.ts';
import { openDatabase } from './database.ts';

const NO_DATABASE = {
  message:
    'The server isn’t available right now. Nothing you typed or sang is lost. Please try again in a moment.',
};
const FOR_EVER = 600_000;
/**
 * Time after which a silent connection counts as dead. Longer than the database needs to respond on a busy
 * machine.
 */
const SILENCE_MS = 1_500;

const postgres = inject('postgres');
const proxy = await createStallingProxy(postgres);
const app = await startTestApp({
  through: proxy,
  databaseLimits: { connect: SILENCE_MS, silence: SILENCE_MS },
});
const student = await app.as(await app.make.student({ username: 'tashi' }));
/** Connects directly, without the stalling proxy. */
const direct = openDatabase({ ...postgres, database: app.databaseName }, () => undefined);
afterEach(() => proxy.resume());
afterAll(async () => {
  await direct.close();
  await proxy.end();
});

test('sign-in and list requests get 503 while the network to the database is stalled', async () => {
  await student.get('/api/melodies');
  // Waits longer than the timeout, which must not affect idle connections.
  await sleep(SILENCE_MS + 200);
  proxy.stall();
  const requests = [
    () => app.visitor().post('/api/login', { username: 'tashi', password: 'some-password' }),
    () => student.get('/api/melodies'),
  ];
  for (const ask of requests) {
    const reply = await ask();
    expect(reply.status).toBe(503);
    expect(reply.body).toEqual(NO_DATABASE);
    expect(reply.headers.get('retry-after')).toBe('5');
  }
  proxy.resume();
  expect((await student.get('/api/melodies')).status).toBe(200);
});

test('/api/ready responds 503 while database queries hang, even with a session cookie', async () => {
  const patient = await startTestApp({
    through: proxy,
    databaseLimits: { connect: FOR_EVER, silence: FOR_EVER, end: 10 },
  });
  const client = await patient.as(await patient.make.student());
  proxy.stall();
  expect((await patient.visitor().get('/api/ready')).status).toBe(503);
  expect((await client.get('/api/ready')).status).toBe(503);
  expect((await client.get('/api/health')).status).toBe(200);
  proxy.resume();
  await waitFor(async () => expect((await client.get('/api/ready')).status).toBe(200));
});

test('keeps a file if the commit of its row was not acknowledged', async () => {
  const staging = join(app.dataDir, 'staging');
  await mkdir(staging, { recursive: true });
  const path = join(staging, 'unheard');
  await writeFile(path, createTone(1));
  const row = {
    name: 'unheard.wav',
    slot: 'recording-audio',
    contentType: 'audio/wav',
    size: 1,
    sha256: 'x',
  } as const;
  const saved = app.services.media.saveInTransaction([{ path, row }], async (tx) => {
    await tx.execute(sql`select 1`);
    // Stalls the network before the next message, which is COMMIT.
    proxy.stall();
  });
  await expect(saved).rejects.toThrow();
  expect(await app.files()).toContain('unheard.wav');
  proxy.resume();
  await waitFor(async () => {
    const { rows } = await direct.db.execute(sql`select name from media_files`);
    expect(rows).toEqual([{ name: 'unheard.wav' }]);
  });
});

test('a list request that waits too long for a database lock gets 503', async () => {
  const short = await startTestApp({ databaseLimits: { lock: 50 }, beside: app });
  const other = await short.as(await app.make.student());
  await direct.db.transaction(async (tx) => {
    await tx.execute(sql`lock table melodies in access exclusive mode`);
    const reply = await other.get('/api/melodies');
    expect([reply.status, reply.body]).toEqual([503, NO_DATABASE]);
  });
});

test('a slow statement times out, but a long transaction of fast statements does not', async () => {
  const database = openDatabase(postgres, () => undefined, { statement: 1_000, idleInTransaction: 1_000 });
  await expect(database.db.execute(sql`select pg_sleep(60)`)).rejects.toMatchObject({
    cause: { code: '57014' },
  });
  await database.db.transaction(async (tx) => {
    for (let i = 0; i < 6; i += 1) await tx.execute(sql`select pg_sleep(0.2)`);
  });
  await database.close();
});

test('hanging list requests leave connections for sign-in and for opening a melody', async () => {
  const small = await startTestApp({
    beside: app,
    environment: { DATABASE_POOL: '4' },
    databaseLimits: { lock: FOR_EVER, statement: FOR_EVER, silence: FOR_EVER },
  });
  const melody = await app.make.melody({ level: 'Open to All' });
  const pema = await app.make.student({ username: 'pema', levels: ['Open to All'] });
  const client = await small.as(pema);
  const another = await small.as(await app.make.student());
  const lists = await direct.db.transaction(async (tx) => {
    // Blocks only the list requests below, because no other request in this test reads the feedback table.
    await tx.execute(sql`lock table feedback in access exclusive mode`);
    const requests = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? client : another).get('/api/feedback'),
    );
    await waitForLockWaiters(direct.db, 3);
    expect((await client.get(`/api/melodies/${melody.id}`)).status).toBe(200);
    const wrong = await small.visitor().post('/api/login', { username: 'pema', password: 'not-this-one' });
    expect(wrong.status).toBe(401);
    return { requests };
  });
  const replies = await Promise.all(lists.requests);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a database listener detects a stalled network and reconnects when it recovers', async () => {
  const warned = vi.fn();
  const began = vi.fn();
  const heard: string[] = [];
  const connection = { ...postgres, host: proxy.host, port: proxy.port };
  const listening = listenOnChannel(
    'silence',
    connection,
    { onNotice: (payload) => heard.push(payload), onBegin: began },
    { warn: warned },
    { pingEvery: 20, answer: 1_000, minReconnect: 1_000, maxReconnect: 2_000 },
  );
  await waitFor(() => expect(began).toHaveBeenCalledTimes(1));
  proxy.stall();
  await waitFor(() => expect(warned).toHaveBeenCalled());
  proxy.resume();
  const other = openDatabase(postgres, () => undefined);
  await waitFor(async () => {
    await other.db.execute(sql`select pg_notify('silence', 'Kyab')`);
    expect(new Set(heard)).toEqual(new Set(['Kyab']));
  });
  expect(began.mock.calls.length).toBeGreaterThan(1);
  await other.close();
  await listening.stop();
});

test('a database listener resets its reconnect delay once it has been connected', async () => {
  const warned = vi.fn();
  const began = vi.fn();
  const listening = listenOnChannel(
    'backoff',
    { ...postgres, host: proxy.host, port: proxy.port },
    { onNotice: vi.fn(), onBegin: began },
    { warn: warned },
    // If the delay kept doubling, the last reconnects would take longer than this test may.
    { pingEvery: 20, answer: 300, minReconnect: 100, maxReconnect: FOR_EVER },
  );
  await waitFor(() => expect(began).toHaveBeenCalled());
  for (let stalls = 0; stalls < 12; stalls += 1) {
    const [begins, warnings] = [began.mock.calls.length, warned.mock.calls.length];
    proxy.stall();
    await waitFor(() => expect(warned.mock.calls.length).toBeGreaterThan(warnings));
    proxy.resume();
    await waitFor(() => expect(began.mock.calls.length).toBeGreaterThan(begins));
  }
  await listening.stop();
});

test.each([
  // Pings never time out, so one is pending when the listener is stopped.
  ['while a ping gets no response', { pingEvery: 20, answer: FOR_EVER }],
  ['on a stalled network, even if no FIN arrives', { pingEvery: FOR_EVER, answer: FOR_EVER }],
])('a database listener can be stopped %s', async (_, timing) => {
  const began = vi.fn();
  const listening = listenOnChannel(
    'stopped',
    { ...postgres, host: proxy.host, port: proxy.port },
    { onNotice: vi.fn(), onBegin: began },
    { warn: vi.fn() },
    { ...timing, minReconnect: 1_000, maxReconnect: 2_000 },
  );
  await waitFor(() => expect(began).toHaveBeenCalledTimes(1));
  proxy.stall();
  await sleep(200);
  await listening.stop();
});
