import { expect, test } from 'vitest';
import { TEST_SESSION_DETAILS, startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';

const app = await startTestApp();
const MINUTE_MS = 60 * 1000;
const MOST = 20;

const isIn = async (client: TestClient) => (await client.get('/api/user')).status === 200;
const areSignedIn = (browsers: TestClient[]) => Promise.all(browsers.map(isIn));

test('a sign-in beyond the session limit ends exactly one session of that user', async () => {
  const student = await app.make.student();
  const other = await app.as(await app.make.student());
  try {
    const browsers: TestClient[] = [];
    for (let i = 0; i < MOST; i += 1) {
      browsers.push(await app.as(student));
      app.clock.advance(MINUTE_MS);
    }
    expect(await areSignedIn(browsers)).toEqual(Array(MOST).fill(true));
    const newest = app.visitor();
    await newest.post('/api/login', { username: student.username, password: TEST_PASSWORD });
    expect(await isIn(newest)).toBe(true);
    expect(await areSignedIn(browsers)).toEqual([false, ...Array<boolean>(MOST - 1).fill(true)]);
    expect(await isIn(other)).toBe(true);
  } finally {
    app.clock.reset();
  }
});

test('a sign-in beyond the session limit ends the least recently used session', async () => {
  const student = await app.make.student();
  try {
    const used = await app.as(student);
    const unused = await app.as(student);
    // Waits for more than an hour, because the last use of a session is updated at most once an hour.
    app.clock.advance(61 * MINUTE_MS);
    expect(await isIn(used)).toBe(true);
    for (let i = 1; i < MOST; i += 1) await app.as(student);
    expect(await areSignedIn([used, unused])).toEqual([true, false]);
  } finally {
    app.clock.reset();
  }
});

test('concurrent sign-ins all succeed without exceeding the session limit', async () => {
  const { sessions, users } = app.services;
  const { username } = await app.make.student();
  const found = (await users.findForSignIn(username))!;
  const ids = await Promise.all(
    Array.from({ length: 60 }, () => sessions.startIfUnchanged(found, TEST_SESSION_DETAILS, app.clock.now())),
  );
  expect(ids).not.toContain(null);
  const left = await Promise.all(ids.map((id) => sessions.find(id!, app.clock.now())));
  expect(left.filter(Boolean).length).toBeGreaterThan(0);
  expect(left.filter(Boolean).length).toBeLessThanOrEqual(MOST);
});
