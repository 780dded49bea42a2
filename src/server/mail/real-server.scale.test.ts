import { MAIL_KINDS } from '#shared/kinds.ts';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { mails } from '../db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { FakeAuthenticator } from '#testing/fake-authenticator.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';
import { SMTP_CREDENTIALS, readEximLog, readMailbox, getSmtpUrl, type EximListener } from '#testing/exim.ts';
import { parseMailServer } from './mail-settings.ts';
import { createSmtpTransport } from './smtp.ts';
import { createMailWorker } from './worker.ts';

const missing = inject('eximMissing');
const exim = inject('exim');
beforeEach((test) => {
  if (missing) test.skip(missing);
});

const NAME = 'དབྱངས་ཅན།';
const FROM = 'songs@example.org';

const app = await startTestApp({
  environment: {
    ...(!missing && { SMTP_URL: getSmtpUrl(exim) }),
    MAIL_FROM: `${NAME} <${FROM}>`,
    APP_NAME: NAME,
    TEACHER_TITLE: 'མཁའ་འགྲོ་ལགས།',
    PUBLIC_URL: 'https://songs.example',
  },
});
afterEach(async () => {
  app.clock.reset();
  await app.db.delete(mails);
});

const workerFor = (url: string) =>
  createMailWorker({
    db: app.db,
    connection: app.database.connection,
    delivery: createSmtpTransport(parseMailServer(url), app.settings.mailFrom),
    clock: app.clock.now,
    log: { warn: () => undefined },
  });

/** Delivers the emails that are due, through the configured mail server. */
const send = () => workerFor(getSmtpUrl(exim)).runOnce();

const rowOf = async ({ id }: { id: number }) =>
  (await app.db.select().from(mails).where(eq(mails.id, id)))[0]!;

/** Counts how often the server has accepted an email for an address. The server logs this before it replies. */
const timesTaken = async (address: string) =>
  (await readEximLog(exim)).filter((line) => line.includes(' <= ') && line.endsWith(` for ${address}`))
    .length;

/**
 * Waits until a mailbox contains this many emails, and returns them. The server stores an email only after
 * accepting it.
 */
async function waitForMails(address: string, count: number) {
  await expect.poll(async () => (await readMailbox(exim, address)).length).toBe(count);
  return readMailbox(exim, address);
}

let people = 0;
const someone = (how = 'someone') => app.make.student({ username: `${how}-${(people += 1)}` });

const unfolded = (raw: string) => raw.slice(0, raw.indexOf('\n\n')).replaceAll(/\n[ \t]+/g, ' ');
const header = (raw: string, name: string) =>
  new RegExp(`^${name}: *(.*)$`, 'im').exec(unfolded(raw))?.[1] ?? null;

/** Makes the program queue an email of each kind. */
async function writeAll() {
  const khandro = await app.make.teacher({ username: 'teacher', firstName: 'མཁའ་འགྲོ་' });
  const pema = { firstName: 'པདྨ་', lastName: 'མཚོ་' };
  const student = await app.make.student({ username: 'pema', ...pema });
  // Changing an email address invalidates the links in earlier emails, so a different student changes hers.
  const moving = await app.make.student({ username: 'moving', ...pema });
  const level = await app.make.level('Open to All');
  const fullName = 'བསོད་ནམས་ དབང་མོ་';
  const request = await app.make.request({ email: 'approved@example.org', fullName });
  const [teacher, browser, first] = [app.visitor(), app.visitor(), app.visitor()];
  const signIn = (device: TestClient, { username }: { username: string }) =>
    device.post('/api/login', { username, password: TEST_PASSWORD });
  await signIn(teacher, khandro);
  const phone = new FakeAuthenticator(app.settings.publicUrl.origin);
  let passkey: { id: number };
  const askForPasskey = async (isOn: boolean) => {
    const { body: challenge } = await browser.post('/api/passkeys/challenge');
    await teacher.put('/api/user/passkey-second-factor', { isOn, passkey: phone.answer(challenge as never) });
  };
  const occasions: Record<(typeof MAIL_KINDS)[number], () => Promise<unknown>> = {
    credentials: () => app.services.registrations.approve(request.id, [level.id], khandro),
    'new-device': async () => {
      // Signs in on two devices, because the first sign-in of an account doesn't send an email about a new
      // device.
      for (const device of [first, browser]) await signIn(device, student);
    },
    'password-changed': () =>
      browser.post('/api/user/change-password', {
        currentPassword: TEST_PASSWORD,
        newPassword: 'a-lotus-of-my-own',
      }),
    'password-reset': () => app.services.passwords.requestReset(student.email, '127.0.0.1'),
    'sign-in-link': () => app.services.signIn.requestLink(student.email, '127.0.0.1'),
    'passkey-added': async () => {
      const { body: challenge } = await teacher.post('/api/user/passkeys/challenge');
      const added = { name: 'Phone', passkey: phone.create(challenge as never) };
      passkey = (await teacher.post('/api/user/passkeys', added)).body as { id: number };
    },
    'passkey-asked-for': () => askForPasskey(true),
    'passkey-not-asked-for': () => askForPasskey(false),
    'passkey-removed': () => teacher.delete(`/api/user/passkeys/${passkey.id}`),
    'feedback-given': () => app.make.feedback({ student }),
    'recordings-waiting': () => app.make.recording(),
    'test-mail': () => teacher.post('/api/admin/first-steps/test-mail'),
    'account-changed': () =>
      teacher.put(`/api/admin/users/${moving.id}`, { ...pema, email: 'moved@example.org' }),
  };
  for (const write of Object.values(occasions)) await write();
  await app.services.afterwards.idle();
}

test('every kind of email arrives once and unchanged, over TLS and with a login', async () => {
  await writeAll();
  const written = await app.db.select().from(mails);
  expect(new Set(written.map(({ kind }) => kind))).toEqual(new Set(MAIL_KINDS));
  await send();

  const read = new Map<number, Awaited<ReturnType<typeof readMailbox>>>();
  for (const { recipient } of written) {
    const ours = written.filter((each) => each.recipient === recipient);
    const found = await waitForMails(recipient, ours.length);
    for (const { id, createdAt } of ours) {
      const messageId = `<${id}.${createdAt.getTime()}@example.org>`;
      read.set(
        id,
        found.filter(({ mail }) => mail.messageId === messageId),
      );
    }
  }
  for (const { id, kind, subject, recipient, text, html, createdAt, unsubscribeUrl } of written) {
    const [first, ...more] = read.get(id)!;
    expect([kind, more]).toEqual([kind, []]);
    const { raw, mail } = first!;
    expect(mail).toMatchObject({ subject, from: { value: [{ name: NAME, address: FROM }] } });
    expect([mail.text?.trim(), (mail.html || '').trim()]).toEqual([text!.trim(), html!.trim()]);
    expect(`${subject}${text}`).toMatch(/\p{Script=Tibetan}/u);
    expect(mail.date?.getTime()).toBe(Math.trunc(createdAt.getTime() / 1000) * 1000);
    expect(header(raw, 'To')).toBe(recipient);
    expect(header(raw, 'Return-path')).toBe(`<${FROM}>`);
    expect(header(raw, 'Received')).toMatch(/with esmtpsa/);
    expect(header(raw, 'Auto-Submitted')).toBe('auto-generated');

    const isNews = kind === 'feedback-given' || kind === 'recordings-waiting';
    expect([kind, unsubscribeUrl !== null]).toEqual([kind, isNews]);
    expect(/^List-Unsubscribe: (.*)$/m.exec(raw)?.[1] ?? null).toBe(isNews ? `<${unsubscribeUrl}>` : null);
    expect(header(raw, 'List-Unsubscribe-Post')).toBe(isNews ? 'List-Unsubscribe=One-Click' : null);

    // The email is plain ASCII, so no server on the way has to re-encode it.
    expect(raw).toMatch(/^[\t\n\r\x20-\x7e]*$/);
    const own = raw.slice(raw.search(/^(List-Unsubscribe|Auto-Submitted):/m));
    expect(Math.max(...own.split('\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    const folded = own.slice(0, own.indexOf('\n\n')).split('\n');
    expect(folded.filter((line) => line.length > 78 && !line.includes('<https://'))).toEqual([]);
  }
});

test('the one-click unsubscribe link in an email stops emails of that kind', async () => {
  const student = await someone();
  await app.make.feedback({ student });
  await send();
  const { raw } = (await waitForMails(student.email, 1))[0]!;
  const url = new URL(/^<(https:.*)>$/.exec(header(raw, 'List-Unsubscribe')!)![1]!);
  expect(url.origin).toBe('https://songs.example');
  const answer = await app.visitor().post(url.pathname + url.search, header(raw, 'List-Unsubscribe-Post'), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.status).toBe(200);
  app.clock.advance(2 * 60 * 60 * 1000);
  await app.make.feedback({ student });
  await send();
  expect(await timesTaken(student.email)).toBe(1);
});

/** Starts a proxy that records all data sent to a port. */
async function startRecordingProxy(port: number) {
  let heard = '';
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('data', (chunk) => (heard += chunk.toString('latin1')));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, heard: () => heard, end: () => server.close() };
}

test.each<[string, EximListener]>([
  ['with an untrusted certificate', 'untrusted'],
  ['with the certificate of another host', 'misnamed'],
  ['without TLS', 'plain'],
])('does not send the password or the email to a mail server %s', async (_, listener) => {
  const { email, ...student } = await someone();
  const queued = await app.make.mail({ email, ...student });
  const way = await startRecordingProxy(exim.ports[listener]);
  await workerFor(
    getSmtpUrl({ ...exim, ports: { ...exim.ports, [listener]: way.port } }, listener),
  ).runOnce();
  way.end();
  expect(await rowOf(queued)).toMatchObject({
    status: 'queued',
    lastError: 'We couldn’t connect securely to the mail server.',
  });
  expect(way.heard()).toMatch(/^EHLO .*\r\n(STARTTLS\r\n)?/);
  expect(way.heard()).not.toMatch(/AUTH|MAIL FROM/i);
  for (const secret of [
    SMTP_CREDENTIALS.password,
    Buffer.from(`\0${SMTP_CREDENTIALS.user}\0${SMTP_CREDENTIALS.password}`).toString('base64'),
  ])
    expect(way.heard()).not.toContain(secret);
  expect(await timesTaken(email)).toBe(0);
});

test('a bounce goes to the sender without the content of the bounced email', async () => {
  const student = await someone('gone');
  const [before, queued] = [
    (await readMailbox(exim, FROM)).length,
    await app.make.mail(student, { text: 'Password: lotus', html: '<p>Password: lotus</p>' }),
  ];
  await send();
  // The program counts the email as delivered, because the server accepted it.
  expect(await rowOf(queued)).toMatchObject({ status: 'delivered', lastError: null });
  const { raw } = (await waitForMails(FROM, before + 1)).at(-1)!;
  expect(header(raw, 'Return-path')).toBe('<>');
  expect(raw).toContain(`Final-Recipient: rfc822;${student.email}\n`);
  expect(raw).toContain(`Message-ID: <${queued.id}.${queued.createdAt.getTime()}@example.org>\n`);
  expect(raw).not.toContain('lotus');
});
