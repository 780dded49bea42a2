import { beforeEach, expect, test } from 'vitest';
import { mails } from '#server/db/schema.ts';
import { openLog } from '#server/log.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';

// Tests the log lines about sign-ins and rejected requests, at the default level.

const written: string[] = [];
const app = await startTestApp({
  // Starts a single server, because each server samples its own log lines.
  alone: true,
  environment: { TRUST_PROXY: '1' },
  log: openLog('info', { write: (line) => void written.push(line) }),
});
const NEW = 'a-lotus-of-my-own';
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

beforeEach(() => void (written.length = 0));

/** Returns the log lines that have an event, without request id, time, level and message. */
const events = () =>
  written
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event !== undefined)
    .map(({ id: _id, time: _time, level: _level, msg: _msg, ...said }) => said);

/** Waits for a log line, because it is written after the response has been sent. */
const untilEvent = (event: string) => expect.poll(() => events().map((line) => line.event)).toContain(event);

test('logs successful and failed sign-ins with the IP address, but no typed text', async () => {
  const student = await app.make.student();
  const address = '2001:db8:5:6:7::9';
  await app
    .visitor()
    .post('/api/login', { username: student.username, password: TEST_PASSWORD }, from(address));
  await app.visitor().post('/api/login', { username: student.email, password: 'guess-1' }, from('192.0.2.8'));
  await app.visitor().post('/api/login', { username: 'my-real-password', password: 'x' }, from('192.0.2.8'));
  expect(events()).toEqual([
    { event: 'signed-in', user: student.id, address: '2001:db8:5:6::/64', isKnownDevice: false },
    { event: 'sign-in-failed', user: student.id, address: '192.0.2.8' },
    { event: 'sign-in-failed', address: '192.0.2.8' },
  ]);
  expect(written.every((line) => (JSON.parse(line) as { level: number }).level === 30)).toBe(true);
  for (const secret of [TEST_PASSWORD, 'guess-1', 'my-real-password', student.username, student.email])
    expect(written.join()).not.toContain(secret);
});

test('logs a disabled user’s sign-in with the correct password', async () => {
  const student = await app.make.student();
  await app.make.disable(student);
  await app
    .visitor()
    .post('/api/login', { username: student.username, password: TEST_PASSWORD }, from('192.0.2.8'));
  expect(events()[0]).toEqual({ event: 'sign-in-disabled', user: student.id, address: '192.0.2.8' });
  await untilEvent('refused');
});

test('logs password resets and changes without email, token or password', async () => {
  const student = await app.make.student();
  const at = from('192.0.2.9');
  await app.visitor().post('/api/password-reset/request', { email: student.email }, at);
  await app.idle();
  const [mail] = await app.db.select().from(mails);
  const [, token] = /token=([\w-]+)/.exec(mail!.text!)!;
  await app.visitor().post('/api/password-reset/confirm', { token, newPassword: NEW }, at);
  const client = await app.as(student);
  const change = (currentPassword: string) =>
    client.post('/api/user/change-password', { currentPassword, newPassword: 'lotus-number-two' }, at);
  await change('guess-2');
  await change(NEW);
  const who = { user: student.id, address: '192.0.2.9' };
  expect(events()).toEqual([
    { event: 'reset-requested', address: '192.0.2.9' },
    { event: 'password-reset', ...who },
    { event: 'password-change-failed', ...who },
    { event: 'password-changed', ...who },
  ]);
  for (const secret of [NEW, 'guess-2', 'lotus-number-two', token!, student.email])
    expect(written.join()).not.toContain(secret);
});

test('logs a 403 or 429 with method and path, but without the query', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  await client.get('/api/admin/users?q=secret-search', from('192.0.2.10'));
  await untilEvent('refused');
  expect(events()).toEqual([
    {
      event: 'refused',
      method: 'GET',
      path: '/api/admin/users',
      status: 403,
      user: student.id,
      address: '192.0.2.10',
    },
  ]);
  expect(written.join()).not.toContain('secret-search');

  written.length = 0;
  const body = { email: 'often@example.org' };
  for (let i = 0; i < 6; i += 1)
    await app.visitor().post('/api/password-reset/request', body, from('192.0.2.11'));
  await untilEvent('refused');
  expect(events().at(-1)).toEqual({
    event: 'refused',
    method: 'POST',
    path: '/api/password-reset/request',
    status: 429,
    address: '192.0.2.11',
  });
});

test('does not log requests with status 200, 401 or 404', async () => {
  const client = await app.as(await app.make.student());
  await client.get('/api/melodies');
  await client.get('/api/melodies/999999');
  await app.visitor().get('/api/melodies');
  expect(written).toEqual([]);
});

test('logs all rejections for a user, but only ten a minute per network for visitors', async () => {
  const address = '192.0.2.77';
  const foreign = { headers: { ...from(address).headers, origin: 'https://elsewhere.example' } };
  const lines = () => events().filter((line) => line.event === 'refused' && line.address === address);
  for (let i = 0; i < 15; i += 1) await app.visitor().post('/api/login', {}, foreign);
  const student = await app.make.student();
  const browser = await app.as(student);
  for (let i = 0; i < 2; i += 1) await browser.get('/api/admin/users', from(address));
  await expect.poll(() => lines().filter(({ user }) => user === student.id)).toHaveLength(2);
  expect(lines().filter(({ user }) => user === undefined)).toHaveLength(10);
});
