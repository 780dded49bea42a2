import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '#server/db/schema.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { TEST_SESSION_DETAILS, startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';

const app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
const NEW = 'a-lotus-of-my-own';

const change = (client: TestClient, currentPassword: string, newPassword: string, address = '192.0.2.1') =>
  client.post(
    '/api/user/change-password',
    { currentPassword, newPassword },
    { headers: { 'x-forwarded-for': address } },
  );
const signIn = async (username: string, password: string) =>
  (await app.visitor().post('/api/login', { username, password })).status;
const isSignedIn = async (client: TestClient) => (await client.get('/api/user')).status === 200;

async function studentWithIssuedPassword() {
  const student = await app.make.student();
  await app.db.update(users).set({ suggestOwnPassword: true }).where(eq(users.id, student.id));
  return student;
}

test('changing the password signs out all other browsers', async () => {
  const student = await studentWithIssuedPassword();
  const here = await app.as(student);
  const elsewhere = await app.as(student);
  const somebodyElse = await app.as(await app.make.student());
  const reply = await change(here, TEST_PASSWORD, NEW);
  expect([reply.status, reply.body]).toEqual([200, { message: 'Password changed' }]);
  expect((await here.get('/api/user')).body).toMatchObject({ id: student.id, suggestOwnPassword: false });
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect(await isSignedIn(somebodyElse)).toBe(true);
  expect(await signIn(student.username, TEST_PASSWORD)).toBe(401);
  expect(await signIn(student.username, NEW)).toBe(200);
});

test('changing the password signs out a browser with a copied session cookie', async () => {
  const here = await app.as(await app.make.student());
  const thief = app.visitor();
  thief.cookies.set('session', here.cookies.get('session')!);
  await change(here, TEST_PASSWORD, NEW);
  expect(await isSignedIn(thief)).toBe(false);
  expect(await isSignedIn(here)).toBe(true);
});

test('a wrong current password does not change the password or end sessions', async () => {
  const student = await app.make.student();
  const here = await app.as(student);
  const elsewhere = await app.as(student);
  const reply = await change(here, 'not-it', NEW);
  expect([reply.status, reply.body]).toEqual([
    400,
    {
      message: 'Current password is incorrect',
      issues: [{ path: 'currentPassword', message: 'Current password is incorrect' }],
    },
  ]);
  expect(await isSignedIn(elsewhere)).toBe(true);
  expect(await signIn(student.username, TEST_PASSWORD)).toBe(200);
});

test.each([
  ['', NEW, 'Please enter your current password.'],
  [TEST_PASSWORD, '12345', 'New password must be at least 6 characters long.'],
  [TEST_PASSWORD, 'x'.repeat(129), 'New password must be at most 128 characters long.'],
  [TEST_PASSWORD, TEST_PASSWORD, 'New password must be different from your current password.'],
])('rejects a password change from %j to %j', async (current, wanted, message) => {
  const student = await app.make.student();
  const reply = await change(await app.as(student), current, wanted);
  expect([reply.status, reply.body.message]).toEqual([400, message]);
  expect(await signIn(student.username, TEST_PASSWORD)).toBe(200);
});

test('returns an error for each missing or invalid field of a password change', async () => {
  const client = await app.as(await app.make.student());
  const reply = await client.post('/api/user/change-password', { currentPassword: 7 });
  expect(reply.body.issues).toEqual([
    { path: 'currentPassword', message: 'Please enter your current password.' },
    { path: 'newPassword', message: 'New password must be at least 6 characters long.' },
  ]);
});

test('accepts passwords of 6 and 128 characters', async () => {
  const client = await app.as(await app.make.student());
  expect((await change(client, TEST_PASSWORD, '804611')).status).toBe(200);
  expect((await change(client, '804611', 'ཀ'.repeat(128))).status).toBe(200);
});

test.each([
  ['a common password', () => 'Password1', /very common/],
  [
    'the user’s own username',
    ({ username }: { username: string }) => username.toUpperCase(),
    /your name or email/,
  ],
  ['the user’s own name with digits', () => 'TashiDolma-108', /your name or email/],
  ['the teacher’s title', () => 'khandro-la', /community’s or teacher’s name/],
])('rejects %s as the new password, with an error at the field', async (_, wantedBy, sentence) => {
  const student = await app.make.student();
  const client = await app.as(student);
  const wanted = wantedBy(student);
  // If the current password is wrong, the response has no error about the new password.
  expect((await change(client, 'not-it', wanted)).body.message).toBe('Current password is incorrect');
  const reply = await change(client, TEST_PASSWORD, wanted);
  expect([reply.status, reply.body.issues]).toEqual([
    400,
    [{ path: 'newPassword', message: expect.stringMatching(sentence) as string }],
  ]);
  expect(await signIn(student.username, TEST_PASSWORD)).toBe(200);
});

test('a user whose existing password is easy to guess can still sign in', async () => {
  const student = await app.make.student();
  const password = await hashPassword('123456');
  await app.db.update(users).set({ password }).where(eq(users.id, student.id));
  expect(await signIn(student.username, '123456')).toBe(200);
});

test('only one of two concurrent password changes succeeds', async () => {
  const student = await app.make.student();
  const [one, two] = [await app.as(student), await app.as(student)];
  const replies = await Promise.all([
    change(one, TEST_PASSWORD, 'the-first'),
    change(two, TEST_PASSWORD, 'the-second'),
  ]);
  expect(replies.map(({ status }) => status).sort()).not.toEqual([200, 200]);
  const won = replies[0].status === 200 ? 'the-first' : 'the-second';
  expect(await signIn(student.username, won)).toBe(200);
});

test('blocks guesses at the current password after ten attempts, from any IP address', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  try {
    const burst = await Promise.all(
      Array.from({ length: 13 }, (_, i) => change(client, 'guess', NEW, `198.51.100.${i}`)),
    );
    expect(burst.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(3);
    const right = await change(client, TEST_PASSWORD, NEW);
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, '900']);
    // Signing in and other users' changes are not blocked.
    expect((await change(await app.as(await app.make.student()), TEST_PASSWORD, NEW)).status).toBe(200);
    expect(await signIn(student.username, TEST_PASSWORD)).toBe(200);
    app.clock.advance(15 * 60 * 1000 + 1000);
    expect((await change(client, TEST_PASSWORD, NEW)).status).toBe(200);
  } finally {
    app.clock.reset();
  }
});

test('password guesses with a copied session don’t block the owner’s known device', async () => {
  const student = await app.make.student();
  const own = app.visitor();
  await own.post('/api/login', { username: student.username, password: TEST_PASSWORD });
  const thief = app.visitor();
  thief.cookies.set('session', own.cookies.get('session')!);
  for (let i = 0; i < 10; i += 1) expect((await change(thief, 'guess', NEW)).status).toBe(400);
  expect((await change(thief, TEST_PASSWORD, NEW)).status).toBe(429);
  expect((await change(own, TEST_PASSWORD, NEW)).status).toBe(200);
  expect(await isSignedIn(thief)).toBe(false);
});

test('a correct password is not counted as a guess', async () => {
  const client = await app.as(await app.make.student());
  let current = TEST_PASSWORD;
  for (let i = 0; i < 12; i += 1) {
    const next = `password-${i}`;
    expect((await change(client, current, next)).status).toBe(200);
    current = next;
  }
});

test('a sign-in with the old password can’t complete after the password has changed', async () => {
  const student = await app.make.student();
  const [row] = await app.db.select().from(users).where(eq(users.id, student.id));
  await change(await app.as(student), TEST_PASSWORD, NEW);
  // Runs the last step of a sign-in, with the hash that was read before the change.
  expect(await app.services.sessions.startIfUnchanged(row!, TEST_SESSION_DETAILS, new Date())).toBeNull();
  await app.make.disable(student);
  const [disabled] = await app.db.select().from(users).where(eq(users.id, student.id));
  expect(
    await app.services.sessions.startIfUnchanged(disabled!, TEST_SESSION_DETAILS, new Date()),
  ).toBeNull();
});

test('dismissing the suggestion to change the password affects only that user', async () => {
  const student = await studentWithIssuedPassword();
  const other = await studentWithIssuedPassword();
  const client = await app.as(student);
  expect((await client.get('/api/user')).body.suggestOwnPassword).toBe(true);
  expect((await client.delete('/api/user/password-suggestion')).status).toBe(200);
  expect((await client.delete('/api/user/password-suggestion')).status).toBe(200);
  expect((await client.get('/api/user')).body.suggestOwnPassword).toBe(false);
  expect((await (await app.as(other)).get('/api/user')).body.suggestOwnPassword).toBe(true);
  expect(await signIn(student.username, TEST_PASSWORD)).toBe(200);
});

test('signing out everywhere else leaves only this browser signed in', async () => {
  const student = await app.make.student();
  const [here, there, alsoThere] = [await app.as(student), await app.as(student), await app.as(student)];
  const somebodyElse = await app.as(await app.make.student());
  const reply = await here.post('/api/user/sign-out-elsewhere');
  expect([reply.status, reply.body]).toEqual([200, { message: 'You are signed out everywhere else.' }]);
  expect(await Promise.all([here, there, alsoThere, somebodyElse].map(isSignedIn))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
