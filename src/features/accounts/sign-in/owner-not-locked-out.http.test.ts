import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { rateLimitedAttempts } from '#server/db/schema.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { startTestApp } from '#testing/app.ts';

// Tests that other people's failed sign-ins don't lock out a user who knows the password.

const app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
const signIn = (client = app.visitor(), username = '', password = TEST_PASSWORD, address = '192.0.2.1') =>
  client.post('/api/login', { username, password }, { headers: { 'x-forwarded-for': address } });

/** Returns a browser in which this user has already signed in from another IP address. */
async function ownDevice(user: { username: string }) {
  const browser = app.visitor();
  expect((await signIn(browser, user.username, TEST_PASSWORD, '203.0.113.200')).status).toBe(200);
  return browser;
}

test('ten failed sign-ins from an IP address do not block a known device there', async () => {
  const student = await app.make.student();
  const own = await ownDevice(student);
  const household = '198.51.100.60';
  for (let i = 0; i < 10; i += 1) await signIn(app.visitor(), student.username, 'guess', household);
  expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, household)).status).toBe(429);
  for (const name of [student.username, student.email])
    expect((await signIn(own, name, TEST_PASSWORD, household)).status).toBe(200);
});

test('known devices can sign in from an IP address that is blocked for every name', async () => {
  const student = await app.make.student();
  const own = await ownDevice(student);
  const retreat = '198.51.100.61';
  const failed = { kind: 'sign-in' as const, address: retreat, at: new Date() };
  await app.db
    .insert(rateLimitedAttempts)
    .values(Array.from({ length: 100 }, (_, i) => ({ ...failed, subject: `guest ${i}` })));
  expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, retreat)).status).toBe(429);
  expect((await signIn(own, student.username, TEST_PASSWORD, retreat)).status).toBe(200);
});

test('each known device has its own ten attempts in 15 minutes, at any IP address', async () => {
  const student = await app.make.student();
  const [own, second] = [await ownDevice(student), await ownDevice(student)];
  try {
    for (let i = 0; i < 10; i += 1) {
      const name = i % 2 === 0 ? student.username : student.email;
      expect((await signIn(own, name, 'guess', `198.51.101.${i}`)).status).toBe(401);
    }
    const refused = await signIn(own, student.username, TEST_PASSWORD, '198.51.101.99');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    expect((await signIn(second, student.username, TEST_PASSWORD, '198.51.101.1')).status).toBe(200);
    expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, '198.51.101.1')).status).toBe(200);
    app.clock.advance(15 * 60 * 1000 + 1000);
    expect((await signIn(own, student.username, TEST_PASSWORD, '198.51.101.99')).status).toBe(200);
  } finally {
    app.clock.reset();
  }
});

test('a device known to one account is unknown to all other accounts', async () => {
  const [student, other] = [await app.make.student(), await app.make.student()];
  const guesser = await ownDevice(student);
  const address = '198.51.100.62';
  for (let i = 0; i < 10; i += 1)
    expect((await signIn(guesser, other.username, 'guess', address)).status).toBe(401);
  expect((await signIn(guesser, other.username, TEST_PASSWORD, address)).status).toBe(429);
  // The device can still sign in to its own account.
  expect((await signIn(guesser, student.username, TEST_PASSWORD, address)).status).toBe(200);
});

/** Returns this many addresses, each in a different /64 of the same /56. */
const inOne56 = (many: number) =>
  Array.from({ length: many }, (_, i) => `2001:db8:77:${(0x400 + i).toString(16)}::1`);

const guessFrom = (addresses: string[], name: string) =>
  Promise.all(addresses.map((address) => signIn(app.visitor(), name, 'guess', address)));

test('the owner can sign in on a new device while an IPv6 /56 guesses the password', async () => {
  const student = await app.make.student();
  const guesses = await guessFrom(inOne56(100), student.username);
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(80);
  for (let i = 0; i < 12; i += 1)
    expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, `2001:db8:88:${i}::1`)).status).toBe(
      200,
    );
});

test('guesses from one home don’t lock out other homes in the same IPv6 /48', async () => {
  const student = await app.make.student();
  await guessFrom(inOne56(30), student.username);
  expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, '2001:db8:77:4ff::1')).status).toBe(
    429,
  );
  expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, '2001:db8:77:5ff::1')).status).toBe(
    200,
  );
});

test('networks with repeated failures don’t delay a network without failures', async () => {
  const student = await app.make.student();
  const guessers = [1, 2, 3, 4, 5, 6].map((i) => `198.51.103.${i}`);
  await guessFrom(
    guessers.flatMap((address) => Array<string>(9).fill(address)),
    student.username,
  );
  try {
    for (let turn = 0; turn < 3; turn += 1) {
      // Another guess is allowed every 10 s, and the guessers use each of these chances.
      app.clock.advance(10_000);
      const statuses = (await guessFrom(guessers, student.username)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([401, 429, 429, 429, 429, 429]);
      const owner = await signIn(app.visitor(), student.username, TEST_PASSWORD, `198.51.104.${turn}`);
      expect(owner.status).toBe(200);
    }
  } finally {
    app.clock.reset();
  }
});

test('fifty concurrent sign-ins with correct passwords from one IP address all succeed', async () => {
  const [student, ...others] = await Promise.all(Array.from({ length: 26 }, () => app.make.student()));
  const names = [...Array<string>(25).fill(student!.username), ...others.map(({ username }) => username)];
  const replies = await Promise.all(
    names.map((name) => signIn(app.visitor(), name, TEST_PASSWORD, '198.51.100.63')),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
});

test('a sign-in attempt left pending by a killed server expires after two minutes', async () => {
  const { username } = await app.make.student();
  const address = '198.51.100.64';
  const subject = createHash('sha256').update(username).digest('hex');
  const left = { kind: 'sign-in-under-way' as const, subject, address };
  await app.db
    .insert(rateLimitedAttempts)
    .values(Array.from({ length: 10 }, () => ({ ...left, at: new Date() })));
  try {
    app.clock.advance(121_000);
    expect((await signIn(app.visitor(), username, 'guess', address)).status).toBe(401);
    expect((await signIn(app.visitor(), username, TEST_PASSWORD, address)).status).toBe(200);
  } finally {
    app.clock.reset();
  }
});
