import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { allEndpoints } from '#app/api.ts';
import { mails, users } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { listMailsTo } from '#testing/mails.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import { UNSUBSCRIBE_LINK_INVALID_MESSAGE } from './limits.ts';
import * as store from './server/store.ts';

const app = await startTestApp({
  environment: { PUBLIC_URL: 'http://songs.example', SMTP_URL: 'smtp://127.0.0.1:2525', TRUST_PROXY: '1' },
});
afterEach(() => app.clock.reset());

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const URLENCODED = 'application/x-www-form-urlencoded';
const NOBODYS = 'f3b7a6f0-9d0e-4c3c-8a51-0d3a5c1c7b11';

let addresses = 0;
/** Creates a client with its own IP address, so that tests don't share a rate limit. */
const from = (address = `10.0.${Math.trunc(++addresses / 250)}.${addresses % 250}`) => {
  const stranger = app.visitor();
  stranger.headers['x-forwarded-for'] = address;
  return stranger;
};

/** Sends an unsubscribe request as a mail provider does, without cookies or an Origin header. */
const press = (path: string, headers: Record<string, string> = {}, body = ONE_CLICK, stranger = from()) =>
  stranger.post(path, body, { headers: { 'content-type': URLENCODED, ...headers } });

const choose = (token: string, wantsNewsMail: boolean, stranger = from()) =>
  stranger.put('/api/news-mail', { token, wantsNewsMail });

const getWantsNewsMail = async ({ id }: { id: string }) => {
  const [user] = await app.db.select().from(users).where(eq(users.id, id));
  return user!.wantsNewsMail;
};

/** Creates a student with a news email, and returns the email, and the token and path in its link. */
async function aReader() {
  const student = await app.make.student();
  await app.make.feedback({ student });
  const [mail] = await listMailsTo(app.db, student.email);
  const url = new URL(mail!.unsubscribeUrl!);
  return { student, mail: mail!, path: url.pathname + url.search, token: url.searchParams.get('token')! };
}

test('only news emails contain an unsubscribe link, in text and HTML', async () => {
  const { mail, token } = await aReader();
  expect(mail.unsubscribeUrl).toBe(`http://songs.example/unsubscribe?token=${token}`);
  const page = `http://songs.example/unsubscribe#token=${token}`;
  expect(mail.text).toContain(`To stop these emails, open this link (you don’t need to sign in):\n${page}\n`);
  expect(mail.html).toContain(`href="${page}"`);
  expect([mail.text, mail.html].join()).not.toContain('?token=');
  const teacher = await app.make.teacher();
  await app.make.recording();
  expect((await listMailsTo(app.db, teacher.email)).map(({ unsubscribeUrl }) => unsubscribeUrl)).toEqual([
    expect.stringMatching(/^http:\/\/songs\.example\/unsubscribe\?token=[\w-]{36}$/),
  ]);
  await (
    await app.as(teacher)
  ).post('/api/user/change-password', {
    currentPassword: 'om-mani-padme-hum',
    newPassword: 'a-lotus-of-my-own',
  });
  await app.visitor().post('/api/password-reset/request', { email: teacher.email });
  await app.idle();
  const others = (await listMailsTo(app.db, teacher.email)).slice(1);
  expect(others.map(({ kind }) => kind).sort()).toEqual(['password-changed', 'password-reset']);
  for (const { text, html, unsubscribeUrl } of others)
    expect([text!.includes('unsubscribe'), html!.includes('unsubscribe'), unsubscribeUrl]).toEqual([
      ...[false, false],
      null,
    ]);
});

describe('one-click unsubscribe', () => {
  test('one-click unsubscribe stops news emails, even a year later or if pressed twice', async () => {
    const { student, path } = await aReader();
    const other = await app.make.student();
    app.clock.advance(400 * 24 * 60 * 60 * 1000);
    for (const _ of [1, 2]) {
      const answer = await press(path);
      expect([answer.status, answer.body]).toEqual([200, { message: 'You won’t get these emails anymore.' }]);
      // The request starts no session.
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect([await getWantsNewsMail(student), await getWantsNewsMail(other)]).toEqual([false, true]);
    // The queued email is cancelled, and new feedback queues no other email.
    await app.make.feedback({ student });
    expect(await listMailsTo(app.db, student.email)).toEqual([]);
  });

  test('one-click unsubscribe also accepts a multipart form', async () => {
    const { student, path } = await aReader();
    expect((await from().form(path, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
    expect(await getWantsNewsMail(student)).toBe(false);
  });

  test.each<[string, number, Record<string, string>, string]>([
    ['another value', 400, {}, 'List-Unsubscribe=Maybe'],
    ['an empty body', 400, {}, ''],
    ['a multipart body', 400, { 'content-type': 'multipart/form-data; boundary=x' }, '--y\r\n'],
    ['a form that is too long', 413, {}, `${ONE_CLICK}&more=${'x'.repeat(20_000)}`],
    ['JSON', 415, { 'content-type': 'application/json' }, '{"List-Unsubscribe":"One-Click"}'],
    ['plain text', 415, { 'content-type': 'text/plain' }, ONE_CLICK],
  ])('one-click unsubscribe with %s changes nothing', async (_, status, headers, body) => {
    const { student, path } = await aReader();
    expect((await press(path, headers, body)).status).toBe(status);
    expect(await getWantsNewsMail(student)).toBe(true);
  });

  test.each([
    { origin: 'https://mail.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('rejects one-click unsubscribe requests from a page of another site: %j', async (headers) => {
    const { student, path } = await aReader();
    expect((await press(path, headers as Record<string, string>)).status).toBe(403);
    expect(await getWantsNewsMail(student)).toBe(true);
  });

  test('one-click unsubscribe is the only endpoint that accepts a URL-encoded form', async () => {
    const client = await app.as(await app.make.teacher());
    const taken: string[] = [];
    for (const { method, path } of allEndpoints) {
      if (method === 'GET' || method === 'DELETE') continue;
      const address = path.replaceAll(/\{\w+\}/g, '1');
      const answer = await client.send(method, `${address}?token=${NOBODYS}`, ONE_CLICK, {
        headers: { 'content-type': URLENCODED },
      });
      // Ignores 403 too, because calls that are forbidden to teachers are rejected before their content type is
      // checked.
      if (answer.status !== 415 && answer.status !== 403) taken.push(`${method} ${path} ${answer.status}`);
    }
    expect(taken).toEqual(['POST /unsubscribe 404']);
  });
});

test('opening the unsubscribe link or using another HTTP method changes nothing', async () => {
  const { student, path } = await aReader();
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'])
    await from().send(method, path, ['PUT', 'PATCH'].includes(method) ? '{}' : undefined);
  expect(await getWantsNewsMail(student)).toBe(true);
});

test('the unsubscribe page can stop and resume news emails without a session', async () => {
  const { student, token } = await aReader();
  for (const wanted of [false, true, true, false]) {
    const answer = await choose(token, wanted);
    expect([answer.status, answer.body]).toEqual([200, { wantsNewsMail: wanted }]);
    expect(await getWantsNewsMail(student)).toBe(wanted);
  }
});

test('an unsubscribe link works while its user is disabled, but not after deletion', async () => {
  const { student, token, path } = await aReader();
  await app.make.disable(student);
  expect((await choose(token, false)).status).toBe(200);
  expect(await getWantsNewsMail(student)).toBe(false);
  await app.db.delete(users).where(eq(users.id, student.id));
  const dead = [await choose(token, true), await press(path)];
  // A deleted user's token gets the same response as a token that never existed.
  const unknown = [await choose(NOBODYS, true), await press(`/unsubscribe?token=${NOBODYS}`)];
  for (const [index, { status, body }] of [...dead, ...unknown].entries())
    expect([index, status, body]).toEqual([index, 404, { message: UNSUBSCRIBE_LINK_INVALID_MESSAGE }]);
});

test('rejects a truncated or changed unsubscribe token', async () => {
  const { student, token } = await aReader();
  for (const broken of [token.slice(0, -1), '', `${token} `, "' or true --"]) {
    const answer = await choose(broken, false);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining(UNSUBSCRIBE_LINK_INVALID_MESSAGE),
    ]);
    expect((await press(`/unsubscribe?token=${encodeURIComponent(broken)}`)).status).toBe(400);
  }
  expect((await press('/unsubscribe')).status).toBe(400);
  expect(await getWantsNewsMail(student)).toBe(true);
});

test('user and email endpoints don’t return the unsubscribe token', async () => {
  const { student, token } = await aReader();
  const teacher = await app.as(await app.make.teacher());
  await app.db.update(mails).set({ status: 'undeliverable', text: null }).where(eq(mails.userId, student.id));
  const own = await app.as(student);
  const answers = [
    await own.get('/api/user'),
    await own.put('/api/user/notifications', { wantsNewsMail: true }),
    await teacher.get('/api/admin/users'),
    await teacher.get(`/api/admin/users/${student.id}`),
    await teacher.get('/api/admin/mail/undeliverable'),
  ];
  for (const { status, bytes } of answers) {
    expect(status).toBe(200);
    expect(bytes.toString()).not.toContain(token);
  }
});

test('uses of unsubscribe links are limited per hour, by IP address and by link', async () => {
  const { token } = await aReader();
  for (let time = 0; time < 30; time += 1) expect((await choose(token, true)).status).toBe(200);
  const refused = await choose(token, false);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
  app.clock.advance(60 * 60 * 1000 + 1);
  expect((await choose(token, false)).status).toBe(200);

  const guesser = from('192.0.2.7');
  await app.make.attempts({ kind: 'news-link', address: '192.0.2.7', at: app.clock.now(), count: 299 });
  expect((await choose(crypto.randomUUID(), false, guesser)).status).toBe(404);
  expect((await choose(crypto.randomUUID(), false, guesser)).status).toBe(429);
  expect((await choose((await aReader()).token, false)).status).toBe(200);
});

test('does not send an email about feedback given just before unsubscribing', async () => {
  const { student, token } = await aReader();
  let stopped!: ReturnType<typeof choose>;
  await app.db.transaction(async (tx) => {
    await app.services.news.announceFeedbackGiven(tx, student.id);
    stopped = choose(token, false);
    await waitForLockWaiters(app.db, 1);
  });
  expect((await stopped).status).toBe(200);
  expect(await listMailsTo(app.db, student.email)).toEqual([]);
});

test('does not send an email about feedback given during unsubscribing', async () => {
  const student = await app.make.student();
  const [recording, teacher] = [await app.make.recording({ student }), await app.make.teacher()];
  let given!: Promise<unknown>;
  await app.db.transaction(async (tx) => {
    await store.setWantsNewsMail(tx, student.id, false);
    await store.lockNotificationQueue(tx, 'feedback-given', student.id);
    const reply = { recordingId: recording.id, writtenFeedback: 'Good.' };
    given = app.services.feedback.send(reply, undefined, teacher);
    await waitForLockWaiters(app.db, 1);
  });
  await given;
  expect(await listMailsTo(app.db, student.email)).toEqual([]);
});

test('turning off news emails in the settings cancels queued news emails', async () => {
  const { student } = await aReader();
  await (await app.as(student)).put('/api/user/notifications', { wantsNewsMail: false });
  expect(await listMailsTo(app.db, student.email)).toEqual([]);
});
