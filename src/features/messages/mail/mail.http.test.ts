import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { mails, users } from '#server/db/schema.ts';
import { createConflictError } from '#shared/errors.ts';
import { createOutboxTransport } from '#server/mail/outbox.ts';
import { queueMail } from '#server/mail/queue.ts';
import { createMailWorker } from '#server/mail/worker.ts';
import { openOutboxFolder } from '#app/server/server.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { TEACHER_MAIL_HIDDEN_MESSAGE, EMAILS_PAGE_SIZE } from './limits.ts';
import {
  createMailService,
  type MailResender,
  type MailResenders,
  type MailService,
} from './server/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const composed = vi.fn<MailResender>(async (tx, userId) => {
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  await queueMail(tx, {
    kind: 'credentials',
    userId,
    recipient: user!.email,
    subject: 'Anew',
    text: 'A new password',
    html: '<p>A new password</p>',
  });
});
const composers: MailResenders = {
  credentials: composed,
  'password-changed': () => Promise.resolve(),
  'account-changed': () => Promise.resolve(),
  'test-mail': () => Promise.resolve(),
  'new-device': () => Promise.resolve(),
  'sign-in-link': () => Promise.resolve(),
  'passkey-added': () => Promise.resolve(),
  'passkey-removed': () => Promise.resolve(),
  'passkey-asked-for': () => Promise.resolve(),
  'passkey-not-asked-for': () => Promise.resolve(),
  'feedback-given': () => Promise.resolve(),
  'recordings-waiting': () => Promise.resolve(),
  'password-reset': () => Promise.reject(createConflictError('Not now.')),
};
/** Mail service that has a mail server. */
let sending: MailService;
const app = await startTestApp({
  services: (made, { settings, dataFolder, log, database: { db } }) => {
    const outbox = openOutboxFolder({ settings, dataFolder });
    const deps = { db, outbox, composers, audit: made.audit, log };
    sending = createMailService({ ...deps, hasServer: true });
    return { ...made, mail: createMailService({ ...deps, hasServer: false }) };
  },
});
const outbox = openOutboxFolder(app);

let teacher: TestClient;
beforeAll(async () => {
  teacher = await app.as(await app.make.teacher());
});
afterEach(async () => {
  await app.db.delete(mails);
  await rm(outbox.folder, { recursive: true, force: true });
});

const overview = async () => (await teacher.get('/api/admin/mail')).body;
const undeliverable = async () => (await teacher.get('/api/admin/mail/undeliverable')).body;
const inOutbox = async () => (await teacher.get('/api/admin/mail/outbox')).body;
const textOf = (id: number) => teacher.post(`/api/admin/mail/${id}/text`);
const change = (id: number, to: Partial<typeof mails.$inferInsert>) =>
  app.db.update(mails).set(to).where(eq(mails.id, id));
const giveUp = (id: number) =>
  change(id, { status: 'undeliverable', text: null, html: null, lastError: 'The address was refused.' });

async function deliverToOutbox(...given: Parameters<typeof app.make.mail>) {
  const queued = await app.make.mail(...given);
  const delivery = createOutboxTransport(outbox, { name: '', address: 'songs@example.org' });
  const { connection } = app.database;
  const log = { warn: () => undefined };
  await createMailWorker({ db: app.db, connection, delivery, clock: () => new Date(), log }).runOnce();
  const [row] = await app.db.select().from(mails).where(eq(mails.id, queued.id));
  return row!;
}

test('does not list emails that were delivered', async () => {
  const delivered = await app.make.mail();
  await change(delivered.id, { status: 'delivered', text: null, html: null });
  expect(await overview()).toEqual({
    hasServer: false,
    ...{ undeliverable: 0, delayed: 0, outbox: 0 },
    newestDelayed: null,
  });
  expect([await undeliverable(), await inOutbox()]).toEqual([[], []]);
});

test('the teacher sees delayed and undeliverable emails with the reasons', async () => {
  const delayed = await app.make.mail();
  await change(delayed.id, { attempts: 2, lastError: 'The mail server couldn’t be reached.' });
  const dead = await app.make.mail();
  await giveUp(dead.id);
  const shown = ({ id, kind, recipient, subject, createdAt }: typeof dead) => ({
    id,
    kind,
    recipient,
    subject,
    name: 'Tashi Dolma',
    createdAt: createdAt.toISOString(),
  });
  expect((await teacher.get('/api/admin/mail/delayed')).body).toEqual([
    { ...shown(delayed), reason: 'The mail server couldn’t be reached.' },
  ]);
  expect(await undeliverable()).toEqual([{ ...shown(dead), reason: 'The address was refused.' }]);
  expect(await overview()).toMatchObject({
    delayed: 1,
    newestDelayed: { ...shown(delayed), reason: 'The mail server couldn’t be reached.' },
  });
});

test('counts waiting emails beyond one page and lists the newest first', async () => {
  const first = await app.make.mail();
  await giveUp(first.id);
  const { userId, recipient, subject } = first;
  const copies = (count: number, given: Partial<typeof mails.$inferInsert>) =>
    Array.from({ length: count }, () => ({ kind: first.kind, userId, recipient, subject, ...given }));
  await app.db
    .insert(mails)
    .values([
      ...copies(60, { text: 'Waits', html: 'Waits' }),
      ...copies(60, { text: 'Again', html: 'Again', lastError: 'Not reached.' }),
    ]);
  expect(await overview()).toMatchObject({ undeliverable: 1, delayed: 60, outbox: 60 });
  const page = (await inOutbox()) as { id: number }[];
  expect(page).toHaveLength(50);
  expect(page[0]!.id).toBeGreaterThan(page[1]!.id);
});

test('the teacher reads an email in the outbox and marks it as passed on', async () => {
  const mail = await deliverToOutbox(undefined, { text: 'Username: pema\nPassword: བཀྲ་ཤིས།\n' });
  expect(await inOutbox()).toMatchObject([{ id: mail.id, recipient: mail.recipient, isHidden: false }]);
  expect((await textOf(mail.id)).body).toEqual({ text: 'Username: pema\nPassword: བཀྲ་ཤིས།\n' });
  expect((await teacher.delete(`/api/admin/mail/${mail.id}`)).status).toBe(200);
  expect(await inOutbox()).toEqual([]);
  expect(await readdir(outbox.folder)).toEqual([]);
  expect((await teacher.delete(`/api/admin/mail/${mail.id}`)).status).toBe(404);
});

test.each([
  ['plain', 'Username: pema\nPassword: lotus\n'],
  ['with long lines', `${'long '.repeat(300)}end\n`],
  [
    'with characters that need encoding',
    'a = b =20 \n--\n.\n\nContent-Type: text/plain\n\ntrailing  \nདབྱངས\n',
  ],
])('an email in the outbox is returned with its original text: %s', async (_what, text) => {
  const { id } = await deliverToOutbox(undefined, { text });
  expect((await textOf(id)).body).toEqual({ text });
});

test('without a mail server, a new email is listed before it is in the outbox', async () => {
  const queued = await app.make.mail(undefined, { text: 'Password: lotus' });
  expect(await inOutbox()).toMatchObject([{ id: queued.id }]);
  expect((await textOf(queued.id)).body).toEqual({ text: 'Password: lotus' });
});

test('nobody can read an email to a teacher, whether queued or in the outbox', async () => {
  const other = await app.make.teacher();
  const link = { kind: 'password-reset' as const, text: 'https://songs.example.org/reset-password?token=x' };
  const waiting = await deliverToOutbox(other, link);
  const queued = await app.make.mail(other, link);
  const list = await teacher.get('/api/admin/mail/outbox');
  expect(list.body).toMatchObject([
    { id: queued.id, isHidden: true },
    { id: waiting.id, isHidden: true },
  ]);
  expect(JSON.stringify(list.body)).not.toContain('token');
  const herself = await app.as(other);
  for (const { id } of [waiting, queued])
    for (const reader of [teacher, herself])
      expect((await reader.post(`/api/admin/mail/${id}/text`)).body).toEqual({
        message: TEACHER_MAIL_HIDDEN_MESSAGE,
      });
  expect((await teacher.delete(`/api/admin/mail/${waiting.id}`)).status).toBe(200);
});

test('the audit log records who opened and who passed on a student’s email', async () => {
  const mail = await deliverToOutbox();
  await teacher.get('/api/admin/mail/outbox');
  const entries = async () =>
    (await teacher.get('/api/admin/audit-log')).body.map(
      ({ action, subjectName, detail }: Record<string, string>) => [action, subjectName, detail],
    );
  const before = await entries();
  await textOf(mail.id);
  await teacher.delete(`/api/admin/mail/${mail.id}`);
  expect(await entries()).toEqual([
    ['mail-passed-on', 'Tashi Dolma', mail.subject],
    ['mail-opened', 'Tashi Dolma', mail.subject],
    ...before,
  ]);
  expect((await textOf(mail.id)).status).toBe(404);
});

test('the audit log gets one entry for opening and one for passing on all emails', async () => {
  const other = await app.make.teacher();
  const secret = await deliverToOutbox(other, {
    kind: 'password-reset',
    text: 'https://songs.example.org/?token=x',
  });
  const first = await deliverToOutbox(undefined, { text: 'Password: lotus' });
  const lost = await deliverToOutbox();
  await rm(join(outbox.folder, lost.outboxFile!));
  const last = await app.make.mail(undefined, { text: 'Password: lion' });
  const batch = crypto.randomUUID();
  const opened = await teacher.post('/api/admin/mail/outbox/texts', { batch });
  expect(opened.body).toMatchObject({
    mails: [
      { id: last.id, recipient: last.recipient, name: 'Tashi Dolma', text: 'Password: lion' },
      { id: first.id, recipient: first.recipient, text: 'Password: lotus' },
    ],
    before: null,
  });
  expect(JSON.stringify(opened.body)).not.toContain('token');

  const ids = [first.id, last.id, 999_999];
  const passOn = () => teacher.post('/api/admin/mail/outbox/passed-on', { batch, ids });
  // Counts only the first email: the second is not in the outbox yet, and the third id is unknown.
  expect((await passOn()).body).toEqual({ passedOn: 1 });
  expect((await passOn()).body, 'repeating the call marks nothing').toEqual({ passedOn: 0 });
  expect((await inOutbox()).map(({ id }: { id: number }) => id)).toEqual([last.id, lost.id, secret.id]);
  expect(await readdir(outbox.folder)).toEqual([secret.outboxFile]);
  const entries = (await teacher.get('/api/admin/audit-log')).body.slice(0, 2);
  expect(entries).toMatchObject([
    { action: 'mail-passed-on', count: 1 },
    { action: 'mail-opened', count: 2 },
  ]);
});

test('opening all emails returns each email exactly once, in pages', async () => {
  const { userId, recipient, subject } = await app.make.mail();
  await app.db.insert(mails).values(
    Array.from({ length: EMAILS_PAGE_SIZE + 5 }, (_, at) => ({
      ...{ kind: 'credentials' as const, userId, recipient, subject },
      ...{ text: `Email ${at}`, html: '' },
    })),
  );
  const batch = crypto.randomUUID();
  const one = await teacher.post('/api/admin/mail/outbox/texts', { batch });
  const two = await teacher.post('/api/admin/mail/outbox/texts', { batch, before: one.body.before });
  const ids = [...one.body.mails, ...two.body.mails].map(({ id }: { id: number }) => id);
  expect([new Set(ids).size, two.body.before]).toEqual([EMAILS_PAGE_SIZE + 6, null]);
});

test('an email whose outbox file is missing has no text and can be composed again', async () => {
  const mail = await deliverToOutbox();
  await outbox.remove(mail.outboxFile!);
  expect((await textOf(mail.id)).body).toEqual({ text: null });
  expect((await teacher.post(`/api/admin/mail/${mail.id}/send-again`)).status).toBe(200);
  const [again] = await inOutbox();
  expect(again).toMatchObject({ subject: 'Anew' });
  expect((await textOf(again.id)).body).toEqual({ text: 'A new password' });
  expect(await app.db.select().from(mails)).toMatchObject([{ status: 'queued', subject: 'Anew' }]);
});

test('resending an undeliverable email replaces it with a new email of the same kind', async () => {
  const dead = await app.make.mail();
  await giveUp(dead.id);
  const sent = await teacher.post(`/api/admin/mail/${dead.id}/send-again`);
  expect([sent.status, sent.body]).toEqual([200, { message: 'The email is being sent again.' }]);
  expect(composed.mock.lastCall?.slice(1)).toEqual([
    dead.userId,
    expect.objectContaining({ role: 'admin' }),
    expect.any(Date),
  ]);
  const rows = await app.db.select().from(mails);
  expect(rows).toMatchObject([{ subject: 'Anew', status: 'queued', attempts: 0, userId: dead.userId }]);
  expect(rows[0]!.id).not.toBe(dead.id);
  // The new email is queued, and the old one no longer exists.
  expect((await teacher.post(`/api/admin/mail/${rows[0]!.id}/send-again`)).status).toBe(409);
  expect((await teacher.post(`/api/admin/mail/${dead.id}/send-again`)).status).toBe(404);
});

test('resends all emails in batches, even if one of them fails', async () => {
  const admin = await app.make.teacher();
  const stuck = await app.make.mail();
  await change(stuck.id, { kind: 'password-reset' });
  await giveUp(stuck.id);
  const people = await Promise.all(Array.from({ length: 24 }, () => app.make.mail()));
  for (const { id } of people) await giveUp(id);
  const caller = { ...admin, receivedLevels: [], libraryVersion: '', provedAt: null, codeShownBy: null };
  const all = { which: 'undeliverable' as const };
  const first = await sending.sendMany(all, caller);
  expect(first).toEqual({ sent: 20, failed: 0, before: expect.any(Number) });
  // Two concurrent calls send each email only once.
  const rest = () => sending.sendMany({ ...all, before: first.before! }, caller);
  const [once, twice] = await Promise.all([rest(), rest()]);
  expect(once.sent + twice.sent).toBe(4);
  expect([once.before, twice.before]).toEqual([null, null]);
  expect(await undeliverable()).toMatchObject([{ id: stuck.id }]);
  expect(await app.count('mails')).toBe(25);

  const refused = await teacher.post('/api/admin/mail/send-again', all);
  expect([refused.status, refused.body]).toEqual([409, { message: 'Email isn’t set up on this server.' }]);
  expect((await teacher.post('/api/admin/mail/send-again', { which: 'all' })).status).toBe(400);
});

test('concurrent requests to resend an email queue only one replacement', async () => {
  const dead = await app.make.mail();
  await giveUp(dead.id);
  const send = () => teacher.post(`/api/admin/mail/${dead.id}/send-again`);
  const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 404, 404]);
  expect(await app.count('mails')).toBe(1);
});

test('an undeliverable email that can’t be composed again stays in the list', async () => {
  const dead = await app.make.mail(undefined, { kind: 'password-reset' });
  await giveUp(dead.id);
  const refused = await teacher.post(`/api/admin/mail/${dead.id}/send-again`);
  expect([refused.status, refused.body]).toEqual([409, { message: 'Not now.' }]);
  expect(await undeliverable()).toMatchObject([{ id: dead.id }]);
});

test('deleting a user while their email is being resent does not deadlock', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await app.make.student();
    const dead = await app.make.mail(user);
    await giveUp(dead.id);
    const [sent] = await Promise.all([
      teacher.post(`/api/admin/mail/${dead.id}/send-again`),
      app.db.delete(users).where(eq(users.id, user.id)),
    ]);
    expect([200, 404]).toContain(sent.status);
    expect(await app.count('mails')).toBe(0);
  }
});

test('an undeliverable email can be removed, but not a queued or delivered email', async () => {
  const dead = await app.make.mail();
  await giveUp(dead.id);
  expect((await teacher.delete(`/api/admin/mail/${dead.id}`)).status).toBe(200);
  expect(await app.count('mails')).toBe(0);
  const queued = await app.make.mail();
  expect((await teacher.delete(`/api/admin/mail/${queued.id}`)).status).toBe(404);
  await change(queued.id, { status: 'delivered', text: null });
  expect((await teacher.delete(`/api/admin/mail/${queued.id}`)).status).toBe(404);
  expect((await teacher.post(`/api/admin/mail/${queued.id}/send-again`)).status).toBe(404);
  expect(await app.count('mails')).toBe(1);
  expect((await teacher.delete('/api/admin/mail/soon')).status).toBe(404);
});

test('maintenance deletes old delivered emails and orphaned outbox files', async () => {
  const old = await app.make.mail();
  await change(old.id, { status: 'delivered', text: null, settledAt: new Date(Date.now() - 31 * DAY_MS) });
  const recent = await app.make.mail();
  await change(recent.id, { status: 'delivered', text: null, settledAt: new Date(Date.now() - 29 * DAY_MS) });
  const waiting = await deliverToOutbox();
  await change(waiting.id, { settledAt: new Date(Date.now() - 90 * DAY_MS) });
  const left = await deliverToOutbox();
  await app.db.delete(users).where(eq(users.id, left.userId));
  const longAgo = new Date(Date.now() - DAY_MS);
  for (const file of [waiting, left]) await utimes(join(outbox.folder, file.outboxFile!), longAgo, longAgo);

  await app.services.mail.cleanUp(new Date());
  expect(await readdir(outbox.folder)).toEqual([waiting.outboxFile]);
  expect((await app.db.select().from(mails).orderBy(mails.id)).map(({ id }) => id)).toEqual([
    recent.id,
    waiting.id,
  ]);
});
