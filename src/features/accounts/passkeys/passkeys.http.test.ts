import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditLog, mails, passkeyChallenges, passkeys, users } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { FakeAuthenticator } from '#testing/fake-authenticator.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';
import { removePasskeysByEmail, resetAdminPassword } from '#features/people/users/server/admins.ts';
import {
  LAST_PASSKEY_REQUIRED_MESSAGE,
  PASSKEY_REQUIRED_MESSAGE,
  PASSKEY_OF_OTHER_USER_MESSAGE,
  PASSKEY_FAILED_MESSAGE,
} from './limits.ts';

const MINUTE = 60 * 1000;
const ORIGIN = 'http://songs.example:8080';
// No mail worker runs here, so that queued emails can be inspected.
const app = await startTestApp({
  environment: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: ORIGIN },
});

type Person = { id: string; username: string; email: string };
let lastAddress = 0;
const newAddress = () => `10.1.${(lastAddress += 1)}.1`;
const from = (address = newAddress()) => ({ headers: { 'x-forwarded-for': address } });
const toRejection = (message: string) => [
  message === PASSKEY_REQUIRED_MESSAGE ? 403 : 400,
  { message, issues: [{ path: 'passkey', message }] },
];

const creation = async (client: TestClient) =>
  (await client.post('/api/user/passkeys/challenge')).body as Parameters<FakeAuthenticator['create']>[0];
const challenge = async () =>
  (await app.visitor().post('/api/passkeys/challenge', undefined, from())).body as Parameters<
    FakeAuthenticator['answer']
  >[0];

/** Signs a user in and adds a passkey. */
async function withPasskey(person: Person, name = 'My phone') {
  const client = await app.as(person);
  const phone = new FakeAuthenticator(ORIGIN);
  const reply = await client.post('/api/user/passkeys', {
    name,
    passkey: phone.create(await creation(client)),
  });
  expect(reply.status).toBe(201);
  return { client, phone, id: (reply.body as { id: number }).id };
}

const signInBy = async (phone: FakeAuthenticator, odd = {}, client = app.visitor()) => {
  const passkey = phone.answer(await challenge(), odd);
  const { status, body } = await client.post('/api/sign-in/passkey', { passkey }, from());
  return [status, body] as [number, { id: string }];
};
const getSignedInUserId = async (client: TestClient) =>
  (await client.get('/api/user')).body.id as string | undefined;
const mailsTo = ({ id }: Person, kind: (typeof mails.$inferSelect)['kind']) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, id), eq(mails.kind, kind)));

test('a student who has added a passkey signs in without a password', async () => {
  const student = await app.make.student({ firstName: 'Tashi', lastName: 'Dolma' });
  const before = await app.as(student);
  expect((await before.get('/api/user')).body).toMatchObject({ suggestPasskey: true, asksForPasskey: false });
  const { client, phone } = await withPasskey(student);
  expect((await client.get('/api/user')).body.suggestPasskey).toBe(false);
  const browser = app.visitor();
  const [status, user] = await signInBy(phone, {}, browser);
  expect([status, user.id]).toEqual([200, student.id]);
  expect(await getSignedInUserId(browser)).toBe(student.id);
  const [listed] = (await client.get('/api/user/passkeys')).body;
  expect(listed).toEqual({
    id: expect.any(Number) as number,
    name: 'My phone',
    createdAt: expect.any(String) as string,
    usedAt: expect.any(String) as string,
  });
  const [mail] = await mailsTo(student, 'passkey-added');
  expect(mail?.subject).toBe('A passkey was added to your account at Yangchen');
  expect(mail?.text).toContain('Dear Tashi,');
  expect(mail?.text).toContain('If you or Khandro-la did this,');
  expect(mail?.text).toContain('Then tell Khandro-la.');
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.actorId, student.id));
  expect(entry).toMatchObject({ action: 'passkey-added', subjectName: 'Tashi Dolma', detail: 'My phone' });
});

test('requests discoverable passkeys with user verification from the browser', async () => {
  const student = await app.make.student();
  const { client, phone } = await withPasskey(student);
  expect(await creation(client)).toMatchObject({
    rp: { id: 'songs.example', name: 'Yangchen' },
    user: { id: Buffer.from(student.id).toString('base64url'), name: student.username },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id: phone.id, type: 'public-key', transports: ['internal'] }],
  });
  const asked = await challenge();
  expect(asked).toMatchObject({ rpId: 'songs.example', userVerification: 'required' });
  expect(asked).not.toHaveProperty('allowCredentials');
});

const oddAnswers = {
  'from another site’s page': { origin: 'http://songs.example.evil' },
  'from another port': { origin: 'http://songs.example' },
  'for another site': { rpId: 'evil.example' },
  'without user verification': { isVerified: false },
} as const;

test.each(Object.entries(oddAnswers))(
  'rejects a WebAuthn response %s, both for adding a passkey and for signing in',
  async (_what, odd) => {
    const student = await app.make.student();
    const { client, phone } = await withPasskey(student);
    expect(await signInBy(phone, odd)).toEqual(toRejection(PASSKEY_FAILED_MESSAGE));
    const another = new FakeAuthenticator(ORIGIN).create(await creation(client), odd);
    expect((await client.post('/api/user/passkeys', { name: 'Odd', passkey: another })).status).toBe(400);
    expect((await signInBy(phone))[0]).toBe(200);
  },
);

test('rejects a passkey response with an old counter or another user’s handle', async () => {
  const { phone } = await withPasskey(await app.make.student());
  const other = await app.make.student();
  expect((await signInBy(phone, { counter: 40 }))[0]).toBe(200);
  expect(await signInBy(phone, { counter: 40 })).toEqual(toRejection(PASSKEY_FAILED_MESSAGE));
  expect((await signInBy(phone, { counter: 41 }))[0]).toBe(200);
  const userHandle = Buffer.from(other.id).toString('base64url');
  expect(await signInBy(phone, { counter: 42, userHandle })).toEqual(toRejection(PASSKEY_FAILED_MESSAGE));
});

test('rejects a passkey response that is signed with another key', async () => {
  const { phone } = await withPasskey(await app.make.student());
  const forger = new FakeAuthenticator(ORIGIN);
  const asked = await challenge();
  const { response } = forger.answer(asked);
  const passkey = {
    ...phone.answer(asked),
    response: { ...phone.answer(asked).response, signature: response.signature },
  };
  const reply = await app.visitor().post('/api/sign-in/passkey', { passkey }, from());
  expect(reply.status).toBe(400);
});

test('a passkey challenge works once, even concurrently, and is stored as a hash', async () => {
  const { client, phone } = await withPasskey(await app.make.student());
  const asked = await challenge();
  const rows = await app.db.select().from(passkeyChallenges);
  expect(JSON.stringify(rows)).not.toContain(asked.challenge);
  const passkey = phone.answer(asked);
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => app.visitor().post('/api/sign-in/passkey', { passkey }, from())),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  // A made-up challenge and a challenge for adding a passkey are rejected.
  const madeUp = phone.answer({ challenge: 'x'.repeat(43), rpId: 'songs.example' });
  expect((await app.visitor().post('/api/sign-in/passkey', { passkey: madeUp }, from())).status).toBe(400);
  const { challenge: toAdd } = await creation(client);
  const misused = phone.answer({ challenge: toAdd, rpId: 'songs.example' });
  expect((await app.visitor().post('/api/sign-in/passkey', { passkey: misused }, from())).status).toBe(400);
});

test('a passkey challenge expires after five minutes and works only for its user', async () => {
  const { client, phone } = await withPasskey(await app.make.student());
  const stranger = await app.as(await app.make.student());
  const taken = new FakeAuthenticator(ORIGIN).create(await creation(client));
  expect((await stranger.post('/api/user/passkeys', { name: 'Theirs', passkey: taken })).status).toBe(400);
  try {
    const asked = await challenge();
    const toAdd = await creation(client);
    app.clock.advance(5 * MINUTE + 1000);
    const passkey = phone.answer(asked);
    expect((await app.visitor().post('/api/sign-in/passkey', { passkey }, from())).status).toBe(400);
    await client.post('/api/user/proof', { password: TEST_PASSWORD });
    const late = new FakeAuthenticator(ORIGIN).create(toAdd);
    expect((await client.post('/api/user/passkeys', { name: 'Late', passkey: late })).status).toBe(400);
    await app.services.passkeys.deleteExpiredChallenges();
    expect(await app.count('passkey_challenges')).toBe(0);
  } finally {
    app.clock.reset();
  }
});

test('only the owner can rename and remove a passkey', async () => {
  const student = await app.make.student();
  const { client, phone, id } = await withPasskey(student);
  const stranger = await app.as(await app.make.student());
  const path = `/api/user/passkeys/${id}`;
  expect((await stranger.put(path, { name: 'Mine' })).status).toBe(404);
  expect((await stranger.delete(path)).status).toBe(404);
  expect((await client.put(path, { name: ' ' })).status).toBe(400);
  expect((await client.put(path, { name: 'Old phone' })).body).toMatchObject({ id, name: 'Old phone' });
  expect((await client.delete(path)).status).toBe(200);
  expect((await client.get('/api/user/passkeys')).body).toEqual([]);
  expect(await signInBy(phone)).toEqual(toRejection(PASSKEY_FAILED_MESSAGE));
  expect(await mailsTo(student, 'passkey-removed')).toHaveLength(1);
  // The user has removed the only passkey, but passkeys are not suggested again.
  expect((await client.get('/api/user')).body.suggestPasskey).toBe(false);
});

test('a user has at most ten passkeys, even if several are added concurrently', async () => {
  const { client, phone } = await withPasskey(await app.make.student());
  const again = phone.create(await creation(client));
  expect((await client.post('/api/user/passkeys', { name: 'Again', passkey: again })).status).toBe(409);
  const made = [];
  for (let times = 0; times < 11; times += 1)
    made.push(new FakeAuthenticator(ORIGIN).create(await creation(client)));
  const replies = await Promise.all(
    made.map((passkey) => client.post('/api/user/passkeys', { name: 'One', passkey })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(9);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(2);
  expect((await client.post('/api/user/passkeys/challenge')).status).toBe(409);
});

test('dismissing the passkey suggestion is permanent', async () => {
  const client = await app.as(await app.make.student());
  expect((await client.delete('/api/user/passkey-suggestion')).status).toBe(200);
  expect((await client.get('/api/user')).body.suggestPasskey).toBe(false);
});

test('disabling a user blocks their passkeys, and deleting a user deletes them', async () => {
  const student = await app.make.student();
  const { phone } = await withPasskey(student);
  const teacher = await app.as(await app.make.teacher());
  await teacher.put(`/api/admin/users/${student.id}/status`, { isActive: false });
  const [status, body] = await signInBy(phone);
  expect([status, body]).toEqual([
    403,
    { message: 'This account has been disabled. Please contact your teacher.' },
  ]);
  await teacher.delete(`/api/admin/users/${student.id}`);
  expect(await app.db.select().from(passkeys).where(eq(passkeys.userId, student.id))).toEqual([]);
});

test('passkeys still work after the password changes and other sessions end', async () => {
  const student = await app.make.student();
  const { client, phone } = await withPasskey(student);
  await client.post('/api/user/change-password', {
    currentPassword: TEST_PASSWORD,
    newPassword: 'a-lotus-of-my-own',
  });
  await client.post('/api/user/sign-out-elsewhere');
  expect((await signInBy(phone))[0]).toBe(200);
});

test('a teacher can remove all passkeys of a student, but not of a teacher', async () => {
  const student = await app.make.student({ firstName: 'Sonam', lastName: 'Dorje' });
  const { phone } = await withPasskey(student);
  const teacher = await app.make.teacher();
  const client = await app.as(teacher);
  const of = (person: Person) => `/api/admin/users/${person.id}/passkeys`;
  expect((await client.delete(of(student))).status).toBe(200);
  expect((await client.delete(of(student))).status).toBe(200);
  expect(await signInBy(phone)).toEqual(toRejection(PASSKEY_FAILED_MESSAGE));
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.actorId, teacher.id));
  expect(entries.map(({ action, subjectName, detail }) => [action, subjectName, detail])).toEqual([
    ['passkey-removed', 'Sonam Dorje', null],
  ]);
  expect(await mailsTo(student, 'passkey-removed')).toHaveLength(1);
  expect((await client.delete(of(await app.make.teacher()))).status).toBe(403);
});

test('an IP address may request 600 passkey challenges an hour', async () => {
  const address = newAddress();
  const ask = () => app.visitor().post('/api/passkeys/challenge', undefined, from(address));
  await app.services.passkeys.createSignInChallenge(address);
  await app.db.execute(
    `insert into attempts (kind, subject, address) select 'passkey-challenge', 'anybody', '${address}' from generate_series(1, 598)`,
  );
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
});

/** Creates a teacher with the second factor turned on. */
async function createTeacherWithSecondFactor() {
  const teacher = await app.make.teacher();
  const made = await withPasskey(teacher);
  expect((await setSecondFactor(made.client, made.phone, true)).status).toBe(200);
  return { teacher, ...made };
}
const setSecondFactor = async (client: TestClient, phone: FakeAuthenticator, isOn: boolean) =>
  client.put('/api/user/passkey-second-factor', { isOn, passkey: phone.answer(await challenge()) });

/** Sign-in methods that also need a passkey if the teacher has a second factor. */
const ways: Record<string, (teacher: Person) => Promise<(passkey?: unknown) => Promise<[number, unknown]>>> =
  {
    'the password':
      async ({ username }) =>
      async (passkey) => {
        const { status, body } = await app
          .visitor()
          .post('/api/login', { username, password: TEST_PASSWORD, passkey }, from());
        return [status, body];
      },
    'an emailed link': async (teacher) => {
      await app.visitor().post('/api/sign-in/link', { name: teacher.username }, from());
      await app.idle();
      const [mail] = await mailsTo(teacher, 'sign-in-link');
      const token = /#link=([\w-]+)/.exec(mail!.text!)![1]!;
      return async (passkey) => {
        const { status, body } = await app
          .visitor()
          .post('/api/sign-in/one-time', { kind: 'link', token, passkey }, from());
        return [status, body];
      };
    },
    'a code': async (teacher) => {
      const { code } = (await (await app.as(teacher)).post('/api/user/sign-in-codes')).body as {
        code: string;
      };
      return async (passkey) => {
        const body = { kind: 'code', token: code, passkey };
        const reply = await app.visitor().post('/api/sign-in/one-time', body, from());
        return [reply.status, reply.body];
      };
    },
  };

test.each(Object.keys(ways))('%s alone does not sign in a teacher with a second factor', async (name) => {
  const { teacher, phone } = await createTeacherWithSecondFactor();
  const { phone: strangers } = await withPasskey(await app.make.teacher());
  const way = await ways[name]!(teacher);
  expect(await way()).toEqual(toRejection(PASSKEY_REQUIRED_MESSAGE));
  expect(await way(strangers.answer(await challenge()))).toEqual(toRejection(PASSKEY_OF_OTHER_USER_MESSAGE));
  expect(await way(phone.answer(await challenge(), { isVerified: false }))).toEqual(
    toRejection(PASSKEY_FAILED_MESSAGE),
  );
  const passkey = phone.answer(await challenge());
  const [status, user] = await way(passkey);
  expect([status, (user as Person).id]).toEqual([200, teacher.id]);
  // A used WebAuthn response can't be used for another sign-in.
  expect((await way(passkey))[0]).not.toBe(200);
});

test('resetting the password does not bypass the second factor', async () => {
  const { teacher } = await createTeacherWithSecondFactor();
  await app.visitor().post('/api/password-reset/request', { email: teacher.email }, from());
  await app.idle();
  const [mail] = await mailsTo(teacher, 'password-reset');
  const token = /token=([\w-]+)/.exec(mail!.text!)![1]!;
  const newPassword = 'a-lotus-of-my-own';
  expect(
    (await app.visitor().post('/api/password-reset/confirm', { token, newPassword }, from())).status,
  ).toBe(200);
  const { username } = teacher;
  const { status, body } = await app
    .visitor()
    .post('/api/login', { username, password: newPassword }, from());
  expect([status, body]).toEqual(toRejection(PASSKEY_REQUIRED_MESSAGE));
});

test('with a second factor, a passkey suffices and a wrong password reveals nothing', async () => {
  const { teacher, phone } = await createTeacherWithSecondFactor();
  const wrong = await app
    .visitor()
    .post('/api/login', { username: teacher.username, password: 'wrong' }, from());
  expect([wrong.status, wrong.body]).toEqual([401, { message: 'Invalid username or password' }]);
  expect((await signInBy(phone))[0]).toBe(200);
});

test('only the teacher’s own passkey can turn her second factor off', async () => {
  const { teacher, client, phone, id } = await createTeacherWithSecondFactor();
  const { phone: strangers } = await withPasskey(await app.make.student());
  expect((await setSecondFactor(client, strangers, false)).status).toBe(400);
  expect((await client.put('/api/user/passkey-second-factor', { isOn: false })).status).toBe(400);
  const last = await client.delete(`/api/user/passkeys/${id}`);
  expect([last.status, last.body]).toEqual([409, { message: LAST_PASSKEY_REQUIRED_MESSAGE }]);
  expect((await setSecondFactor(client, phone, false)).status).toBe(200);
  const { username } = teacher;
  expect((await app.visitor().post('/api/login', { username, password: TEST_PASSWORD }, from())).status).toBe(
    200,
  );
  const entries = await app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.actorId, teacher.id))
    .orderBy(auditLog.id);
  expect(entries.map(({ action }) => action)).toEqual([
    'passkey-added',
    'passkey-asked-for',
    'passkey-not-asked-for',
  ]);
});

test('a teacher is emailed when the second factor is turned on or off', async () => {
  const { teacher, client, phone } = await createTeacherWithSecondFactor();
  const [on] = await mailsTo(teacher, 'passkey-asked-for');
  expect(on?.subject).toBe('You now need a passkey to sign in to Yangchen');
  expect(on?.text).toContain('npm run admin -- reset');
  await setSecondFactor(client, phone, true);
  await setSecondFactor(client, phone, false);
  expect(await mailsTo(teacher, 'passkey-asked-for')).toHaveLength(1);
  expect(await mailsTo(teacher, 'passkey-not-asked-for')).toHaveLength(1);
});

test('emails about a teacher’s passkeys refer the teacher to whoever runs the server', async () => {
  const { teacher, client, phone } = await createTeacherWithSecondFactor();
  await setSecondFactor(client, phone, false);
  for (const kind of ['passkey-added', 'passkey-asked-for', 'passkey-not-asked-for'] as const) {
    const [mail] = await mailsTo(teacher, kind);
    expect(mail!.text, kind).toContain('If you or whoever runs the server did this,');
    expect(mail!.text, kind).not.toContain('Khandro-la');
    // The email offers no reset link, because with a second factor such a link can't remove passkeys.
    expect(mail!.text, kind).not.toContain('Forgot your password?');
  }
});

test('the admin command removes lost passkeys and turns off the second factor', async () => {
  const { teacher, phone } = await createTeacherWithSecondFactor();
  expect(await removePasskeysByEmail(app.db, teacher.email.toUpperCase(), app.settings)).toBe(1);
  const { username } = teacher;
  expect((await app.visitor().post('/api/login', { username, password: TEST_PASSWORD }, from())).status).toBe(
    200,
  );
  expect((await signInBy(phone))[0]).toBe(400);
  expect(await mailsTo(teacher, 'passkey-removed')).toHaveLength(1);
});

test('a password reset on the command line removes the passkeys on request', async () => {
  const { teacher } = await createTeacherWithSecondFactor();
  const { username, email } = teacher;
  const asked: number[] = [];
  const reset = (isWanted: boolean) =>
    resetAdminPassword(app.db, email, app.settings, (count) => {
      asked.push(count);
      return isWanted;
    });
  expect(await reset(false)).toMatchObject({ removed: 0, asksForPasskey: true });
  const { password, ...done } = await reset(true);
  expect(done).toEqual({ username, removed: 1, asksForPasskey: false });
  expect((await app.visitor().post('/api/login', { username, password }, from())).status).toBe(200);
  await reset(true);
  expect(asked).toEqual([1, 1]);
  expect(await mailsTo(teacher, 'passkey-removed')).toHaveLength(1);
});

test('only teachers can have a second factor', async () => {
  const student = await app.make.student();
  const { client, phone } = await withPasskey(student);
  expect((await setSecondFactor(client, phone, true)).status).toBe(403);
  const [row] = await app.db.select().from(users).where(eq(users.id, student.id));
  expect(row?.asksForPasskey).toBe(false);
});
