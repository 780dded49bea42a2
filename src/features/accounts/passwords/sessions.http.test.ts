import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';

const app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

type Listed = {
  id: string;
  device: string | null;
  address: string | null;
  createdAt: string;
  seenAt: string;
  isCurrent: boolean;
};
const list = async (client: TestClient) => (await client.get('/api/user/sessions')).body as Listed[];
const isIn = async (client: TestClient) => (await client.get('/api/user')).status === 200;
const from = (address: string, userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0') => ({
  headers: { 'x-forwarded-for': address, 'user-agent': userAgent },
});
const signIn = async ({ username }: { username: string }, address: string, userAgent?: string) => {
  const client = app.visitor();
  await client.post('/api/login', { username, password: TEST_PASSWORD }, from(address, userAgent));
  return client;
};

test('lists only the user’s own sessions, starting with the current session', async () => {
  const student = await app.make.student();
  try {
    const tablet = await signIn(student, '192.0.2.1', 'Mozilla/5.0 (iPad; CPU OS 18_0) Safari/604.1');
    app.clock.advance(HOUR_MS / 2);
    await signIn(student, '192.0.2.2');
    await signIn(await app.make.student(), '192.0.2.3');
    const sessions = await list(tablet);
    expect(sessions).toMatchObject([
      { device: 'Safari on an iPad', address: '192.0.2.1', isCurrent: true },
      { device: 'Firefox on Linux', address: '192.0.2.2', isCurrent: false },
    ]);
    expect(sessions.map(({ id }) => id)).not.toContain(tablet.cookies.get('session'));
  } finally {
    app.clock.reset();
  }
});

test('updates a session’s last use and IP address at most once an hour', async () => {
  const client = await signIn(await app.make.student(), '192.0.2.1');
  const [begun] = await list(client);
  try {
    await client.get('/api/user', from('192.0.2.9'));
    expect(await list(client)).toEqual([begun]);
    app.clock.advance(HOUR_MS + 1);
    await client.get('/api/user', from('192.0.2.9'));
    const [used] = await list(client);
    expect(used).toMatchObject({ id: begun!.id, address: '192.0.2.9', createdAt: begun!.createdAt });
    expect(used!.seenAt > begun!.seenAt).toBe(true);
  } finally {
    app.clock.reset();
  }
});

test('ending a session revokes the user’s sign-in codes, but keeps other sessions', async () => {
  const student = await app.make.student();
  const [here, lost] = [await app.as(student), await app.as(student)];
  const token = (await lost.post('/api/user/sign-in-codes')).body.code as string;
  const { id } = (await list(here)).find(({ isCurrent }) => !isCurrent)!;
  expect((await here.delete(`/api/user/sessions/${id}`)).status).toBe(200);
  expect([await isIn(here), await isIn(lost)]).toEqual([true, false]);
  expect((await app.visitor().post('/api/sign-in/one-time', { kind: 'code', token })).status).toBe(400);
  expect((await here.delete(`/api/user/sessions/${id}`)).status).toBe(404);
});

test('ending somebody else’s session fails like ending an unknown session', async () => {
  const other = await app.as(await app.make.student());
  const student = await app.as(await app.make.student());
  const [{ id }] = (await list(other)) as [Listed];
  const replies = [];
  for (const each of [id, crypto.randomUUID(), 'x', other.cookies.get('session')!]) {
    const { status, body } = await student.delete(`/api/user/sessions/${each}`);
    replies.push([status, (body as { message: string }).message]);
  }
  expect(new Set(replies.map((reply) => reply[0]))).toEqual(new Set([404]));
  expect(replies[0]).toEqual(replies[1]);
  expect(await isIn(other)).toBe(true);
});

test('a session that is used every day ends after 90 days', async () => {
  const client = await app.as(await app.make.student());
  try {
    for (let days = 0; days < 90; days += 10) {
      expect(await isIn(client)).toBe(true);
      app.clock.advance(10 * DAY_MS);
    }
    expect(await isIn(client)).toBe(false);
  } finally {
    app.clock.reset();
  }
});

test('SESSION_MAX_DAYS sets the maximum lifetime of a session', async () => {
  const strict = await startTestApp({ environment: { SESSION_MAX_DAYS: '2' }, beside: app });
  const student = await strict.make.student();
  const client = await strict.as(student);
  try {
    strict.clock.advance(1.5 * DAY_MS);
    const other = await strict.as(student);
    strict.clock.advance(DAY_MS);
    expect([await isIn(client), await isIn(other)]).toEqual([false, true]);
    expect(await list(other)).toHaveLength(1);
    await strict.services.sessions.forgetExpired(strict.clock.now());
    const { rows } = await strict.db.execute(
      `select 1 from sessions where sess ->> 'userId' = '${student.id}'`,
    );
    expect(rows).toHaveLength(1);
  } finally {
    strict.clock.reset();
  }
});
