import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import { replacePassword } from './server/service.ts';

// Tests that renewing a session doesn't keep it alive while all of the user's sessions are being revoked.

const app = await startTestApp();
const admin = await app.make.teacher();
const teacher = await app.as(admin);
const OTHER = await hashPassword('another-password');
const NEW = 'a-lotus-of-my-own';

type Person = { id: string; username: string };

const sessionsOf = async ({ id }: Person) => {
  const { rows } = await app.db.execute(sql`select 1 from sessions where sess ->> 'userId' = ${id}`);
  return rows.length;
};

/** Requests that renew the current session. */
const renewals: [string, (client: TestClient) => Promise<{ status: number }>][] = [
  ['signing out elsewhere', (client) => client.post('/api/user/sign-out-elsewhere')],
  [
    'changing the password',
    (client) =>
      client.post('/api/user/change-password', { currentPassword: TEST_PASSWORD, newPassword: NEW }),
  ],
];

describe.each(renewals)('renewing a session by %s', (_, renew) => {
  test.each<[string, (tx: Db, person: Person) => Promise<unknown>]>([
    // The server calls `replacePassword` for emailed links and for the command that resets a teacher's
    // password.
    ['a password reset', (tx, { id }) => replacePassword(tx, id, OTHER)],
    ['a resend of the credentials', (tx, { id }) => app.services.users.sendCredentialsAgain(tx, id, admin)],
  ])('a request can’t renew its session during %s', async (_, end) => {
    const student = await app.make.student();
    const thief = await app.as(student);
    const renewed = await app.db.transaction(async (tx) => {
      await end(tx, student);
      const reply = renew(thief);
      await waitForLockWaiters(app.db, 1);
      return [reply];
    });
    expect((await renewed[0]!).status).toBe(401);
    expect(await sessionsOf(student)).toBe(0);
    expect((await thief.get('/api/user')).status).toBe(401);
  });

  test('a request can’t renew its session while its user is being disabled', async () => {
    const student = await app.make.student();
    const thief = await app.as(student);
    const setStatus = (isActive: boolean) =>
      teacher.put(`/api/admin/users/${student.id}/status`, { isActive });
    const [disabled, renewed] = await app.db
      .transaction(async (tx) => {
        // Blocks the last step of disabling, an insert into the audit log. All other changes have then been
        // made, but not committed.
        await tx.execute(sql`lock table audit_log in access exclusive mode`);
        const disabling = setStatus(false);
        await waitForLockWaiters(app.db, 1);
        const renewal = renew(thief);
        await waitForLockWaiters(app.db, 2);
        return [disabling, renewal];
      })
      .then((both) => Promise.all(both));
    expect([disabled!.status, renewed!.status]).toEqual([200, 401]);
    expect((await setStatus(true)).status).toBe(200);
    expect(await sessionsOf(student)).toBe(0);
    expect((await thief.get('/api/user')).status).toBe(401);
    // Disabling doesn't change the password, so the user can sign in again.
    const own = { username: student.username, password: TEST_PASSWORD };
    expect((await app.visitor().post('/api/login', own)).status).toBe(200);
  });

  test('a request can’t renew a session while another device is signing it out', async () => {
    const student = await app.make.student();
    const [owner, thief] = [await app.as(student), await app.as(student)];
    const renewed = await app.db
      .transaction(async (tx) => {
        await tx.execute(sql`select 1 from users where id = ${student.id} for update`);
        const first = owner.post('/api/user/sign-out-elsewhere');
        await waitForLockWaiters(app.db, 1);
        const second = renew(thief);
        await waitForLockWaiters(app.db, 2);
        return [first, second];
      })
      .then((both) => Promise.all(both));
    expect(renewed.map(({ status }) => status)).toEqual([200, 401]);
    expect(await sessionsOf(student)).toBe(1);
    expect((await owner.get('/api/user')).status).toBe(200);
  });
});

test('a sign-in during a password reset can’t use the old password', async () => {
  const student = await app.make.student();
  const browser = app.visitor();
  const [reply] = await app.db
    .transaction(async (tx) => {
      await replacePassword(tx, student.id, OTHER);
      const signingIn = browser.post('/api/login', { username: student.username, password: TEST_PASSWORD });
      await waitForLockWaiters(app.db, 1);
      return [signingIn];
    })
    .then((one) => Promise.all(one));
  expect(reply!.status).toBe(401);
  expect(await sessionsOf(student)).toBe(0);
});
