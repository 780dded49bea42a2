import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails, passkeys } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';

// No mail worker runs here, so that queued emails can be inspected.
const app = await startTestApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
const withoutServer = await startTestApp({ beside: app });
const NEW = 'a-lotus-of-my-own';

const mailsTo = ({ id }: { id: string }) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, id), eq(mails.kind, 'password-changed')));
const change = async (server: typeof app, user: { id: string }, currentPassword = TEST_PASSWORD) =>
  (await (await server.as(user)).post('/api/user/change-password', { currentPassword, newPassword: NEW }))
    .status;

test('the email about a changed password contains the time and what to do', async () => {
  const student = await app.make.student();
  app.clock.set(new Date('2026-11-03T23:59:00Z'));
  try {
    expect(await change(app, student)).toBe(200);
  } finally {
    app.clock.reset();
  }
  const [mail, ...more] = await mailsTo(student);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ recipient: student.email, subject: 'Your password for Yangchen was changed' });
  expect(mail!.text).toContain('was changed on 3 November 2026 at 23:59 UTC.');
  expect(mail!.text).toMatch(/If it wasn’t you.+tell Khandro-la\./);
  expect(mail!.text).toMatch(/\/forgot-password\n/);
  for (const secret of [TEST_PASSWORD, NEW]) expect(mail!.text + mail!.html!).not.toContain(secret);
});

test('the email about a changed password refers teachers to whoever runs the server', async () => {
  const teacher = await app.make.teacher();
  expect(await change(app, teacher)).toBe(200);
  const [mail] = await mailsTo(teacher);
  expect(mail!.text).toContain('Then tell whoever runs the server.');
  expect(mail!.text).not.toContain('Khandro-la');
});

test('emails the user when their password is reset by a link', async () => {
  const student = await app.make.student();
  await app.db.transaction((tx) => app.services.passwords.sendResetAgain(tx, student.id));
  const [link] = await app.db.select().from(mails).where(eq(mails.userId, student.id));
  const [, token] = /token=([\w-]+)/.exec(link!.text!)!;
  const body = { token, newPassword: NEW };
  expect((await app.visitor().post('/api/password-reset/confirm', body)).status).toBe(200);
  expect(await mailsTo(student)).toHaveLength(1);
});

test('one email announces both a password reset and the removal of all passkeys', async () => {
  const student = await app.make.student();
  const passkey = { credentialId: 'x', publicKey: 'y', counter: 0, name: 'My phone' };
  await app.db.insert(passkeys).values({ userId: student.id, ...passkey });
  await app.db.transaction((tx) => app.services.passwords.sendResetAgain(tx, student.id));
  const [link] = await app.db.select().from(mails).where(eq(mails.userId, student.id));
  const [, token] = /token=([\w-]+)/.exec(link!.text!)!;
  const body = { token, newPassword: NEW, removePasskeys: true };
  expect((await app.visitor().post('/api/password-reset/confirm', body)).status).toBe(200);
  const [mail] = await mailsTo(student);
  expect(mail!.text).toContain('All passkeys were removed too.');
  expect(await app.db.$count(mails, eq(mails.userId, student.id))).toBe(2);
});

test('does not send an email if a password change fails or there is no mail server', async () => {
  const student = await app.make.student();
  expect(await change(app, student, 'guess')).toBe(400);
  expect(await change(withoutServer, student)).toBe(200);
  expect(await mailsTo(student)).toEqual([]);
});

test('a resent email about a changed password states the time of the password change', async () => {
  const student = await app.make.student();
  await change(app, student);
  const [mail] = await mailsTo(student);
  const createdAt = new Date('2026-10-01T08:30:00Z');
  const failed = { status: 'undeliverable', text: null, html: null, createdAt } as const;
  await app.db.update(mails).set(failed).where(eq(mails.id, mail!.id));
  const teacher = await app.as(await app.make.teacher());
  expect((await teacher.post(`/api/admin/mail/${mail!.id}/send-again`)).status).toBe(200);
  const [again] = await mailsTo(student);
  expect(again!.text).toContain('was changed on 1 October 2026 at 08:30 UTC.');
});
