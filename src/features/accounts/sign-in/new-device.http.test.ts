import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';

const HOUR_MS = 60 * 60 * 1000;
// No mail worker runs here, so that queued emails can be inspected.
const app = await startTestApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9', APP_NAME: 'Drukpa Songs' } });
const withoutServer = await startTestApp({ beside: app });
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Person = { id: string; username: string };
const signIn = (client: TestClient, { username }: Person, password = TEST_PASSWORD) =>
  client.post('/api/login', { username, password }, { headers: { 'user-agent': FIREFOX } });
const mailsTo = ({ id }: Person) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, id), eq(mails.kind, 'new-device')));

test('emails a user about a second device, but not about the first or a known device', async () => {
  const student = await app.make.student({ firstName: 'Tashi' });
  const first = app.visitor();
  await signIn(first, student);
  await signIn(first, student);
  expect(await mailsTo(student)).toEqual([]);

  app.clock.set(new Date('2026-11-03T14:05:40Z'));
  try {
    await signIn(app.visitor(), student);
  } finally {
    app.clock.reset();
  }
  const [mail] = await mailsTo(student);
  expect(mail).toMatchObject({ recipient: student.email, status: 'queued' });
  expect(mail!.subject).toBe('A new device signed in to your account at Drukpa Songs');
  expect(mail!.text).toContain('Dear Tashi,');
  expect(mail!.text).toContain(
    `Someone signed in to your account ${student.username} at Drukpa Songs on a new device (Firefox on Linux) on 3 November 2026 at 14:05 UTC.`,
  );
  expect(mail!.text).toMatch(/\/forgot-password\n/);
  // The email contains a short description of the device, but not its user agent.
  expect(mail!.text + mail!.html!).not.toContain('Gecko');
});

test('the email about a new device refers teachers to whoever runs the server', async () => {
  const teacher = await app.make.teacher();
  for (let i = 0; i < 2; i += 1) await signIn(app.visitor(), teacher);
  const [mail] = await mailsTo(teacher);
  expect(mail!.text).toContain('Then tell whoever runs the server.');
  expect(mail!.text).not.toContain('Khandro-la');
});

test('does not send an email about a wrong password on a new device', async () => {
  const student = await app.make.student();
  await signIn(app.visitor(), student);
  expect((await signIn(app.visitor(), student, 'guess')).status).toBe(401);
  expect(await mailsTo(student)).toEqual([]);
});

test('a user who clears cookies after each visit gets at most one email an hour', async () => {
  const student = await app.make.student();
  for (let i = 0; i < 4; i += 1) await signIn(app.visitor(), student);
  expect(await mailsTo(student)).toHaveLength(1);
  try {
    app.clock.advance(HOUR_MS + 60_000);
    await signIn(app.visitor(), student);
    expect(await mailsTo(student)).toHaveLength(2);
  } finally {
    app.clock.reset();
  }
});

test('emails about a new device even if the user has turned off news emails', async () => {
  const student = await app.make.student();
  const first = app.visitor();
  await signIn(first, student);
  await first.put('/api/user/notifications', { wantsNewsMail: false });
  await signIn(app.visitor(), student);
  expect(await mailsTo(student)).toHaveLength(1);
});

test('does not queue an email about a new device if there is no mail server', async () => {
  const student = await app.make.student();
  for (let i = 0; i < 2; i += 1) await signIn(withoutServer.visitor(), student);
  expect(await mailsTo(student)).toEqual([]);
});

test('a resent email about a new device states the time of the sign-in', async () => {
  const student = await app.make.student();
  await signIn(app.visitor(), student);
  await signIn(app.visitor(), student);
  const [mail] = await mailsTo(student);
  const createdAt = new Date('2026-10-01T08:30:00Z');
  const failed = { status: 'undeliverable', text: null, html: null, createdAt } as const;
  await app.db.update(mails).set(failed).where(eq(mails.id, mail!.id));
  const teacher = await app.as(await app.make.teacher());
  expect((await teacher.post(`/api/admin/mail/${mail!.id}/send-again`)).status).toBe(200);
  const [again] = await mailsTo(student);
  expect(again!.text).toContain('on 1 October 2026 at 08:30 UTC');

  await app.db.update(mails).set(failed).where(eq(mails.id, again!.id));
  await app.make.disable(student);
  expect((await teacher.post(`/api/admin/mail/${again!.id}/send-again`)).status).toBe(409);
});
