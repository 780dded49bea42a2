import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { parseMailedCredentials, listMailsTo } from '#testing/mails.ts';

const app = await startTestApp();
const { users } = app.services;
const admin = await app.make.teacher();
const teacher = await app.as(admin);
const sendAgain = async (id: string) => {
  const credentials = await users.newCredentials();
  return app.db.transaction((tx) => users.sendCredentialsAgain(tx, id, admin, credentials));
};

test('sending new credentials invalidates the old password and ends all sessions', async () => {
  const student = await app.make.student({ firstName: 'Karma', lastName: 'Yeshe' });
  const inside = await app.as(student);
  await sendAgain(student.id);
  expect((await inside.get('/api/user')).status).toBe(401);
  const { username } = student;
  const client = app.visitor();
  expect((await client.post('/api/login', { username, password: TEST_PASSWORD })).status).toBe(401);
  const [mail] = await listMailsTo(app.db, student.email);
  expect(mail).toMatchObject({ kind: 'credentials', subject: 'Your new password for Yangchen' });
  expect((await client.post('/api/login', parseMailedCredentials(mail!))).status).toBe(200);
  expect((await client.get('/api/user')).body.suggestOwnPassword).toBe(true);
  expect((await teacher.get('/api/admin/audit-log')).body[0]).toMatchObject({
    action: 'password-issued',
    subjectName: 'Karma Yeshe',
  });
});

test('a rolled-back password change keeps the old password and sends no email', async () => {
  const student = await app.make.student();
  const attempt = app.db.transaction(async (tx) => {
    await users.sendCredentialsAgain(tx, student.id, admin);
    throw new Error('and then something failed');
  });
  await expect(attempt).rejects.toThrow('and then something failed');
  expect(await listMailsTo(app.db, student.email)).toEqual([]);
  const signedIn = await app
    .visitor()
    .post('/api/login', { username: student.username, password: TEST_PASSWORD });
  expect(signedIn.status).toBe(200);
});

test('does not send new credentials to unknown or disabled users', async () => {
  await expect(sendAgain(crypto.randomUUID())).rejects.toMatchObject({ code: 'not-found' });
  const student = await app.make.student();
  await app.make.disable(student);
  await expect(sendAgain(student.id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await listMailsTo(app.db, student.email)).toEqual([]);
});
