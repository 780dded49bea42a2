import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { announceChange } from '#server/db/changes.ts';
import { createSessionStore } from '#server/auth/sessions.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { startTestApp, type TestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { openSlowReader, type SlowReader } from '#testing/slow-reader.ts';
import { createTone } from '#testing/tone.ts';
import { waitForLockWaiters, waitFor } from '#testing/wait-for.ts';
import { replacePassword } from '#features/accounts/passwords/server/service.ts';

// Tests that a response is cut off if access is revoked while it is being sent.

const MIB = 1024 * 1024;
const NEVER = 60 * 60 * 1000;

const app = await startTestApp({ alone: true, limits: { recheckIntervalMs: NEVER, graceMs: NEVER } });
/**
 * Second server on the same database. It sends audio to clients whose access is being revoked on the first.
 */
const elsewhere = await startTestApp({
  alone: true,
  beside: app,
  limits: { recheckIntervalMs: NEVER, graceMs: NEVER },
});

const author = await app.make.teacher();
const teacher = await app.as(author);
const refuge = await app.make.level('Refuge');
/** An audio file of 41 MB. */
const long = createTone(450, 220, 48_000);
const newMelody = () => app.make.melody({ level: 'Refuge', audio: long });
const melody = await newMelody();
const pathOf = ({ audioUrl }: { audioUrl: string | null }) => `/api/files/${audioUrl}?type=audio`;

const listeners: SlowReader[] = [];
afterEach(() => listeners.splice(0).forEach((listener) => listener.leave()));

/**
 * Maximum number of bytes that may still arrive after access is revoked: the content of the kernel's buffers,
 * and what is sent before the next check. On Linux, the buffers are by default at most 6 MiB to receive and 4
 * MiB to send. If the response were not cut off, most of the 41 MB would arrive.
 */
const BUFFERED = 16 * MIB;

/** Starts a client that reads the first MiB and then pauses. */
async function listen(client: TestClient, path = pathOf(melody), headers = {}) {
  const listener = await openSlowReader(client, path, { range: 'bytes=0-', ...headers });
  listeners.push(listener);
  await listener.read(MIB);
  // Waits until all buffers are full. Then the server can't send the next MiB, after which it would check
  // access itself.
  await sleep(300);
  expect(listener.head()).toMatch(/^HTTP\/1.1 20[06] /);
  return listener;
}

/** Resolves when the server has closed all connections, including those whose client does not read. */
const waitUntilDisconnected = ({ app: { server } }: TestApp) =>
  waitFor(async () => {
    const open = await new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
    expect(open).toBe(0);
  });

/** Returns how many bytes still arrive before the connection is cut off. */
async function rest(listener: SlowReader) {
  const before = listener.received();
  await listener.read(Infinity);
  expect(listener.wasReset(), 'the connection is reset').toBe(true);
  return listener.received() - before;
}

type Student = Awaited<ReturnType<typeof app.make.student>>;

/** Returns a client of the first server that has the same cookies. */
const here = (client: TestClient) => {
  const same = app.visitor();
  client.cookies.forEach((value, name) => same.cookies.set(name, value));
  return same;
};

describe('ended sessions', () => {
  test.each<[string, (student: Student, client: TestClient) => Promise<unknown>]>([
    [
      'the account is disabled',
      ({ id }) => teacher.put(`/api/admin/users/${id}/status`, { isActive: false }),
    ],
    ['the account is deleted', ({ id }) => teacher.delete(`/api/admin/users/${id}`)],
    ['the student has signed out', (_, client) => here(client).post('/api/logout')],
    ['the student has signed out by the link', (_, client) => here(client).get('/api/logout')],
    [
      'somebody else signs in with the same browser',
      async (_, client) => {
        const { username } = await app.make.student();
        return here(client).post('/api/login', { username, password: TEST_PASSWORD });
      },
    ],
    [
      'the student has signed out everywhere else',
      async (student) => (await app.as(student)).post('/api/user/sign-out-elsewhere'),
    ],
    [
      'the student has changed the password',
      async (student) =>
        (await app.as(student)).post('/api/user/change-password', {
          currentPassword: TEST_PASSWORD,
          newPassword: 'a-lotus-of-my-own',
        }),
    ],
    ['the password was replaced', ({ id }) => app.db.transaction((tx) => replacePassword(tx, id, 'none'))],
    [
      'maintenance deletes the expired session',
      async ({ id }) => {
        const past = new Date(0).toISOString();
        await app.db.execute(sql`update sessions set expire = ${past} where sess ->> 'userId' = ${id}`);
        await app.services.sessions.forgetExpired(new Date());
      },
    ],
  ])('another server cuts off downloads and live pages once %s', async (_, end) => {
    const student = await app.make.student({ levels: ['Refuge'] });
    const client = await elsewhere.as(student);
    const listener = await listen(client);
    await app.untilHeard();
    const page = await here(client).stream('/api/events');
    await end(student, client);
    await waitUntilDisconnected(elsewhere);
    expect(await rest(listener)).toBeLessThan(BUFFERED);
    await announceChange(app.db, { to: student.id, refreshes: ['/api/melodies'] });
    await page.ended;
    expect(page.events).toEqual([]);
  });
});

describe('lost access', () => {
  test.each<[string, (student: Student, heard: { id: number }) => Promise<unknown>]>([
    [
      'the level is revoked',
      ({ id }) => teacher.delete(`/api/admin/users/${id}/transmission-access/${refuge.id}`),
    ],
    [
      'the melody is moved to another level',
      async (_, { id }) => {
        const { id: transmissionLevelId } = await app.make.level('Wang (Empowerment)');
        return teacher.form(`/api/melodies/${id}`, { transmissionLevelId }, { method: 'PUT' });
      },
    ],
    [
      'the melody has other audio',
      (_, { id }) =>
        teacher.form(
          `/api/melodies/${id}`,
          { audioFile: { bytes: createTone(1), name: 'other.wav' } },
          { method: 'PUT' },
        ),
    ],
    ['the melody is deleted', (_, { id }) => teacher.delete(`/api/melodies/${id}`)],
  ])('another server stops sending audio once %s', async (_, end) => {
    const heard = await newMelody();
    const student = await app.make.student({ levels: ['Refuge'] });
    const listener = await listen(await elsewhere.as(student), pathOf(heard));
    const reply = await end(student, heard);
    expect(reply).toMatchObject({ status: 200 });
    await waitUntilDisconnected(elsewhere);
    expect(await rest(listener)).toBeLessThan(BUFFERED);
  });
});

test('unrelated changes do not interrupt a listener who still has access', async () => {
  const student = await app.make.student({ levels: ['Refuge', 'Open to All'] });
  const listener = await listen(await elsewhere.as(student));
  const open = await app.make.level('Open to All');
  await teacher.delete(`/api/admin/users/${student.id}/transmission-access/${open.id}`);
  await (await app.as(student)).post('/api/logout');
  await app.make.melody({ level: 'Refuge' });
  await listener.read(long.length - listener.received());
  expect(listener.received()).toBeGreaterThan(long.length);
});

test('sends a copy of an audio file only as long as the user may hear the original', async () => {
  const [original, made] = [await newMelody(), await newMelody()];
  await app.db.execute(sql`update media_files set copy_of = ${original.audioUrl}, copy = 'small',
    slot = 'audio-copy' where name = ${made.audioUrl}`);
  const student = await app.make.student({ levels: ['Refuge', 'Open to All'] });
  const small = `${pathOf(original)}&copy=small`;
  const listener = await listen(await elsewhere.as(student), small);
  const open = await app.make.level('Open to All');
  await teacher.delete(`/api/admin/users/${student.id}/transmission-access/${open.id}`);
  await listener.read(long.length - listener.received());
  expect(listener.received()).toBeGreaterThan(long.length);
  listener.leave();

  const other = await listen(await elsewhere.as(student), small);
  await teacher.delete(`/api/admin/users/${student.id}/transmission-access/${refuge.id}`);
  await waitUntilDisconnected(elsewhere);
  expect(await rest(other)).toBeLessThan(BUFFERED);
});

test('cuts off a response if access is revoked while the file is being opened', async () => {
  let meanwhile = () => Promise.resolve();
  const slow = await startTestApp({
    alone: true,
    beside: app,
    limits: { recheckIntervalMs: NEVER, graceMs: NEVER },
    store: (real) => ({ ...real, open: (...given) => meanwhile().then(() => real.open(...given)) }),
  });
  const student = await app.make.student({ levels: ['Refuge'] });
  const client = await slow.as(student);
  const witness = await (await slow.as(author)).stream('/api/events');
  meanwhile = async () => {
    await app.services.sessions.endAllOf(student.id);
    // Sends a second notification and waits for it, so that the notification of the revocation has arrived
    // too.
    await announceChange(app.db, { to: author.id, refreshes: ['/api/melodies'] });
    await waitFor(() => expect(witness.events).toHaveLength(1));
  };
  const listener = await openSlowReader(client, pathOf(melody));
  listeners.push(listener);
  expect(await rest(listener)).toBeLessThan(MIB / 2);
  await witness.close();
});

test('checks access again after the database connection has been lost', async () => {
  const student = await app.make.student({ levels: ['Refuge'] });
  const listener = await listen(await elsewhere.as(student));
  const { rows } = await app.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like 'listen %' or query like 'select pg_notify($1, $2)%')`);
  expect(rows).not.toEqual([]);
  await app.services.sessions.endAllOf(student.id);
  await waitUntilDisconnected(elsewhere);
  expect(await rest(listener)).toBeLessThan(BUFFERED);
});

test('a page does not receive notifications after its session has ended', async () => {
  const student = await app.make.student();
  const page = await (await app.as(student)).stream('/api/events');
  await app.db.transaction(async (tx) => {
    await announceChange(tx, { to: student.id, refreshes: ['/api/melodies'] });
    await createSessionStore(tx).endAllOf(student.id);
  });
  await page.ended;
  expect(page.events).toEqual([]);
});

const revokeSilently = (student: Student) =>
  app.db.execute(sql`delete from sessions where sess ->> 'userId' = ${student.id}`);

test('checks access after each MiB, even without a notification of the revocation', async () => {
  const student = await app.make.student({ levels: ['Refuge'] });
  const listener = await listen(await elsewhere.as(student));
  await revokeSilently(student);
  expect(await rest(listener)).toBeLessThan(BUFFERED);
});

describe('with short timeouts', async () => {
  const often = await startTestApp({
    alone: true,
    beside: app,
    limits: { recheckIntervalMs: 20, graceMs: NEVER },
  });
  // Sets a grace period that is longer than a check takes on a busy machine. Otherwise, the response would be
  // cut off before the table is locked.
  const strict = await startTestApp({
    alone: true,
    beside: app,
    limits: { recheckIntervalMs: 20, graceMs: 3_000 },
  });
  const impatient = await startTestApp({
    alone: true,
    beside: app,
    limits: { recheckIntervalMs: NEVER, stallTimeoutMs: 1_000 },
  });

  test('checks access every few seconds, even if the client does not read', async () => {
    const student = await app.make.student({ levels: ['Refuge'] });
    const client = await often.as(student);
    const listener = await listen(client);
    await revokeSilently(student);
    await waitUntilDisconnected(often);
    expect(await rest(listener)).toBeLessThan(BUFFERED);
  });

  test('cuts off a response if the database cannot confirm access in time', async () => {
    const student = await app.make.student({ levels: ['Refuge'] });
    const listener = await listen(await strict.as(student));
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`lock table sessions in access exclusive mode`);
      await waitUntilDisconnected(strict);
    });
    expect(await rest(listener)).toBeLessThan(BUFFERED);
  });

  test('a brief database outage does not interrupt a download', async () => {
    const student = await app.make.student({ levels: ['Refuge'] });
    const listener = await listen(await often.as(student));
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`lock table sessions in access exclusive mode`);
      await waitForLockWaiters(app.db, 1);
    });
    await listener.read(long.length - listener.received());
    expect(listener.received()).toBeGreaterThan(long.length);
  });

  test('cuts off a connection whose client does not read', async () => {
    const listener = await listen(await impatient.as(await app.make.student({ levels: ['Refuge'] })));
    await waitUntilDisconnected(impatient);
    expect(await rest(listener)).toBeLessThan(long.length / 2);
  });
});

test('limits concurrent audio responses per user, but does not limit pictures', async () => {
  const few = await startTestApp({ alone: true, beside: app, limits: { maxConcurrentLong: 2 } });
  const level = 'Refuge';
  const illustrated = await app.make.melody({ level, thumbnail: await picture() });
  const [client, other] = [
    await few.as(await app.make.student({ levels: [level] })),
    await few.as(await app.make.student({ levels: [level] })),
  ];
  // Starts several requests at once, to check that the limit also applies to a burst.
  const burst = await Promise.all(
    Array.from({ length: 5 }, () => openSlowReader(client, pathOf(melody), { range: 'bytes=0-' })),
  );
  listeners.push(...burst);
  await Promise.all(burst.map((listener) => listener.read(1)));
  const open = burst.filter((listener) => listener.head().startsWith('HTTP/1.1 206'));
  expect(open).toHaveLength(2);
  const refused = await client.get(pathOf(melody));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect((await client.get(`/api/files/${illustrated.thumbnailUrl}?type=image`)).status).toBe(200);
  expect((await client.get(pathOf(melody), { headers: { range: 'bytes=0-65535' } })).status).toBe(206);
  expect((await client.get('/api/user')).status).toBe(200);
  await listen(other);
  open[0]!.leave();
  await waitFor(async () => listeners.push(await listenAgain(client)));
});

const picture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#722' } })
    .png()
    .toBuffer();

async function listenAgain(client: TestClient) {
  const listener = await openSlowReader(client, pathOf(melody), { range: 'bytes=0-' });
  await listener.read(1);
  if (!listener.head().startsWith('HTTP/1.1 206')) {
    listener.leave();
    throw new Error(listener.head());
  }
  return listener;
}
