import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';

// This app has a mail server, so it queues emails. No worker sends them, so the tests can inspect the queue.
const app = await startTestApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
const withoutServer = await startTestApp({ beside: app });
const khandro = await app.make.teacher({ username: 'khandro', firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(khandro);
const OWN = '/api/admin/account';

const mailsTo = ({ id }: { id: string }) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, id), eq(mails.kind, 'account-changed')));
const names = (given: object = {}) => ({
  ...{ firstName: 'Pema', lastName: 'Wangmo', email: `${crypto.randomUUID().slice(0, 8)}@example.org` },
  ...given,
});

test('changing a teacher’s username and email sends an email to her old address', async () => {
  const admin = await app.make.teacher();
  const client = await app.as(admin);
  const email = 'Ani.Pema@Example.org';
  const reply = await client.put(OWN, {
    ...names({ email }),
    username: 'ani.pema',
    currentPassword: TEST_PASSWORD,
  });
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { firstName: 'Pema', lastName: 'Wangmo', username: 'ani.pema', email: 'ani.pema@example.org' },
  ]);
  expect((await client.get('/api/user')).body).toMatchObject({ username: 'ani.pema' });
  for (const username of ['ani.pema', email]) {
    expect((await app.visitor().post('/api/login', { username, password: TEST_PASSWORD })).status).toBe(200);
  }
  const { username } = admin;
  expect((await app.visitor().post('/api/login', { username, password: TEST_PASSWORD })).status).toBe(401);
  const [mail, ...others] = await mailsTo(admin);
  expect(others).toEqual([]);
  expect(mail!.recipient).toBe(admin.email);
  expect(mail!.text).toContain('The email address and username of your account');
  expect(mail!.text).not.toContain('ani.pema');
  expect(mail!.text).toContain('If you or whoever runs the server did this,');
  expect(mail!.text).not.toContain('Khandro-la');
  expect((await teacher.get('/api/admin/audit-log')).body[0]).toMatchObject({
    action: 'user-changed',
    detail: 'name (now Pema Wangmo), username, email',
  });
  // Search finds her by the new name.
  expect((await teacher.get('/api/admin/users?q=wangmo')).body).toMatchObject([{ id: admin.id }]);
});

test.each([
  ['a wrong password', { currentPassword: 'not-it' }, 400, 'currentPassword'],
  ['no password', { currentPassword: undefined }, 400, 'currentPassword'],
  ['a username like an email address', { username: 'a@b.org' }, 400, 'username'],
  ['a username that is taken', { username: 'KHANDRO' }, 409, 'username'],
  ['an email that is taken', { email: khandro.email.toUpperCase() }, 409, 'email'],
  ['a name that mixes scripts in one word', { firstName: 'Pеma' }, 400, 'firstName'],
  ['no first name', { firstName: ' ' }, 400, 'firstName'],
])('rejects a change to a teacher’s account with %s and changes nothing', async (_, given, status, path) => {
  const admin = await app.make.teacher();
  const client = await app.as(admin);
  const before = (await client.get('/api/user')).body;
  const reply = await client.put(OWN, {
    ...names(),
    ...{ username: admin.username, currentPassword: TEST_PASSWORD },
    ...given,
  });
  expect([reply.status, reply.body.issues?.[0].path]).toEqual([status, path]);
  expect((await client.get('/api/user')).body).toEqual(before);
  expect(await mailsTo(admin)).toEqual([]);
});

test('rejects account changes after too many attempts with a wrong password', async () => {
  const admin = await app.make.teacher();
  const client = await app.as(admin);
  const given = { ...names(), username: admin.username };
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1) {
    statuses.push((await client.put(OWN, { ...given, currentPassword: `wrong ${tries}` })).status);
  }
  expect(statuses[0]).toBe(400);
  expect(statuses.at(-1)).toBe(429);
  expect((await client.put(OWN, { ...given, currentPassword: TEST_PASSWORD })).status).toBe(429);
});

test('correcting a student’s email revokes the reset link sent to the old address', async () => {
  const student = await app.make.student();
  await app.services.passwords.requestReset(student.email, '127.0.0.1');
  await expect
    .poll(() => app.db.$count(mails, and(eq(mails.userId, student.id), eq(mails.kind, 'password-reset'))))
    .toBe(1);
  const [{ text } = { text: '' }] = await app.db.select().from(mails).where(eq(mails.userId, student.id));
  const token = /token=([\w-]+)/.exec(text!)![1];
  const reply = await teacher.put(
    `/api/admin/users/${student.id}`,
    names({ email: 'New@example.org', lastName: null }),
  );
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { firstName: 'Pema', lastName: null, email: 'new@example.org', username: student.username },
  ]);
  expect((await mailsTo(student)).map(({ recipient }) => recipient)).toEqual([student.email]);
  const reset = await app
    .visitor()
    .post('/api/password-reset/confirm', { token, newPassword: 'lotus-of-my-own' });
  expect(reset.status).toBe(400);

  // Changing only the name sends no email, and repeating a change has no effect.
  await teacher.put(`/api/admin/users/${student.id}`, names({ email: 'new@example.org' }));
  await teacher.put(`/api/admin/users/${student.id}`, names({ email: 'new@example.org' }));
  expect(await mailsTo(student)).toHaveLength(1);
  const log = (await teacher.get('/api/admin/audit-log')).body as { action: string; detail: string }[];
  expect(log.slice(0, 2).map(({ detail }) => detail)).toEqual([
    'name (now Pema Wangmo)',
    `name (now ${student.username}), email`,
  ]);
});

test('correcting a student’s email redirects queued credentials to the new address', async () => {
  const email = `${crypto.randomUUID().slice(0, 8)}@example.org`;
  const person = {
    email: `mistyped-${email}`,
    firstName: 'Pema',
    lastName: 'Wangmo',
    transmissionLevels: [],
  };
  const level = await app.make.level('Open to All');
  const invited = await teacher.post('/api/admin/invite-users', {
    invites: [{ ...person, transmissionLevels: [level.id] }],
  });
  expect(invited.status).toBe(200);
  const recipients = async () =>
    (await app.db.select().from(mails).where(eq(mails.kind, 'credentials'))).map(
      ({ recipient }) => recipient,
    );
  expect(await recipients()).toContain(person.email);
  const users = (await teacher.get('/api/admin/users')).body as { id: string; email: string }[];
  const { id } = users.find((user) => user.email === person.email)!;
  expect((await teacher.put(`/api/admin/users/${id}`, names({ email }))).status).toBe(200);
  expect(await recipients()).toContain(email);
  expect(await recipients()).not.toContain(person.email);
});

test('rejects changes to other teachers or unknown users, and taken or invalid emails', async () => {
  const other = await app.make.teacher();
  const student = await app.make.student();
  const put = async (id: string, given: object = {}) =>
    (await teacher.put(`/api/admin/users/${id}`, names(given))).status;
  expect(await put(other.id)).toBe(403);
  expect(await put(crypto.randomUUID())).toBe(404);
  expect(await put(student.id, { email: other.email })).toBe(409);
  expect(await put(student.id, { email: 'no address' })).toBe(400);
});

test('does not queue an email about an account change if there is no mail server', async () => {
  const student = await app.make.student();
  const client = await withoutServer.as(khandro);
  expect((await client.put(`/api/admin/users/${student.id}`, names())).status).toBe(200);
  expect(await mailsTo(student)).toEqual([]);
});
