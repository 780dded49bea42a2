import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails, users } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
const withoutServer = await startTestApp({ beside: app });
const STEPS = '/api/admin/first-steps';

test('reports no step as done on a new installation, then each step once it is done', async () => {
  await app.services.users.createFirstAdmin({
    ...{ username: 'khandro', email: 'teacher@example.org', password: null },
  });
  const [khandro] = await app.db.select().from(users).where(eq(users.username, 'khandro'));
  const teacher = await app.as(khandro!);
  const state = async () => (await teacher.get(STEPS)).body;
  const nothing = { who: false, levels: false, melodies: false, students: false, backup: false };
  expect(await state()).toEqual({
    ...{ isDismissed: false, ...nothing },
    mail: { hasServer: true, isDone: false, test: null },
  });
  // Name and email alone don't complete the first step, because the generated password was shown on a terminal.
  await app.db
    .update(users)
    .set({ firstName: 'Khandro', email: 'khandro@example.net' })
    .where(eq(users.id, khandro!.id));
  expect((await state()).who).toBe(false);
  await teacher.delete('/api/user/password-suggestion');
  expect(await state()).toMatchObject({ ...nothing, who: true });
  await app.make.melody();
  expect(await state()).toMatchObject({ melodies: true, students: false });
  await app.make.student();
  expect(await state()).toMatchObject({ students: true, levels: false });
  await app.make.grant(await app.make.student(), 'Refuge');
  expect((await state()).levels).toBe(true);
});

test('a teacher who dismisses the first steps hides them for herself only', async () => {
  const [one, other] = [await app.make.teacher(), await app.make.teacher()];
  const before = await app.db.select().from(users).where(eq(users.id, one.id));
  const client = await app.as(one);
  expect((await client.delete(STEPS)).status).toBe(200);
  expect((await client.get(STEPS)).body.isDismissed).toBe(true);
  expect((await (await app.as(other)).get(STEPS)).body.isDismissed).toBe(false);
  const after = await app.db.select().from(users).where(eq(users.id, one.id));
  expect(after[0]!.updatedAt).toEqual(before[0]!.updatedAt);
});

test('a teacher can send herself five test emails an hour and see their outcome', async () => {
  const admin = await app.make.teacher();
  const client = await app.as(admin);
  const send = async () => (await client.post(`${STEPS}/test-mail`)).status;
  const told = async () => (await client.get(STEPS)).body.mail;
  expect(await send()).toBe(200);
  expect(await told()).toMatchObject({ isDone: false, test: { status: 'queued', reason: null } });
  const [mail] = await app.db.select().from(mails).where(eq(mails.userId, admin.id));
  expect(mail).toMatchObject({ kind: 'test-mail', recipient: admin.email });
  await app.db
    .update(mails)
    .set({ status: 'undeliverable', text: null, html: null, lastError: 'Refused.' })
    .where(eq(mails.id, mail!.id));
  expect((await told()).test).toEqual({ status: 'undeliverable', reason: 'Refused.' });
  await app.db.update(mails).set({ status: 'delivered', lastError: null }).where(eq(mails.id, mail!.id));
  expect(await told()).toMatchObject({ isDone: true, test: { status: 'delivered' } });
  const more: number[] = [];
  for (let times = 0; times < 5; times += 1) more.push(await send());
  expect(more).toEqual([200, 200, 200, 200, 429]);

  const refused = await (await withoutServer.as(admin)).post(`${STEPS}/test-mail`);
  expect([refused.status, refused.body]).toEqual([409, { message: 'Email isn’t set up on this server.' }]);
});
