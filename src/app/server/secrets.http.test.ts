import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { allEndpoints } from '../api.ts';
import { mails, users } from '#server/db/schema.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { mountPage } from '#server/http/page.ts';
import { openLog } from '#server/log.ts';
import { startTestApp } from '#testing/app.ts';
import { FakeAuthenticator } from '#testing/fake-authenticator.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { TestClient, type TestResponse } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

// Sends typed text and credentials stored in browsers to every endpoint, first while everything works and
// then while everything fails. None of this data may appear in the log at any level, in metrics, or in a
// response where it doesn't belong.

const METRICS_TOKEN = 'the-token-of-the-operator';
const BACKUP_PASSPHRASE = 'the passphrase of the operator';
const written: string[] = [];
const log = openLog('trace', { write: (line) => void written.push(line) });
const app = await startTestApp({
  environment: { METRICS_TOKEN, BACKUP_PASSPHRASE },
  log,
  prepare: ({ app: server, identify }) =>
    mountPage(
      server,
      () => Promise.resolve('<!--page-data-->'),
      identify,
      () =>
        Promise.resolve({
          settings: {
            appName: 'Song',
            tagline: 't',
            teacherTitle: 'K',
            sendsMail: false,
            passkeyOrigin: null,
          },
          answers: {},
          images: [],
          fonts: [],
          rootClass: '',
          modules: [],
          title: null,
        }),
      { develop: false, render: null, position: () => null, log },
    ),
});

/** Secrets that only the person who chose or received them may see. */
const credentials = new Set([TEST_PASSWORD, METRICS_TOKEN, BACKUP_PASSPHRASE, '$argon2id$']);
const credential = (value: string) => {
  credentials.add(value);
  return value;
};
/** Private texts, which only teachers and the student concerned may see. */
const WORDS = 'my breath is too short for the third line';
const REPLY = 'breathe before the line and not in it';

const [student, other, teacher] = [
  await app.make.student(),
  await app.make.student(),
  await app.make.teacher(),
];
const CALLERS = { visitor: null, student, other, teacher };
type Who = keyof typeof CALLERS;

const browsers = new Map<Who, TestClient>();

/** Returns a signed-in client. Signs in again if needed, because one of the requests may sign out. */
async function browserOf(who: Who): Promise<TestClient> {
  const user = CALLERS[who];
  const open = browsers.get(who);
  if (open && (!user || open.cookies.has('session'))) return open;
  const client = user ? await app.as(user) : app.visitor();
  for (const value of client.cookies.values()) credential(value);
  client.headers['referer'] = `${app.url}/reset-password?token=${resetToken}`;
  client.headers['authorization'] = `Bearer ${METRICS_TOKEN}`;
  browsers.set(who, client);
  return client;
}

const answers: {
  who: Who;
  key: string;
  status: number;
  message: unknown;
  id: string | null;
  text: string;
}[] = [];

function note(who: Who, key: string, { status, body, bytes, headers }: TestResponse) {
  const ofItsOwn = (name: string) => name === 'set-cookie' || name === 'link';
  const sent = [...headers].filter(([name]) => !ofItsOwn(name)).map((header) => header.join(': '));
  const message = (body as { message?: unknown } | null)?.message;
  const text = `${sent.join('\n')}\n${bytes.toString('utf8')}`;
  answers.push({ who, key, status, message, id: headers.get('x-request-id'), text });
}

/** The initial data: a recording with its reply, and emails that contain passwords. */
const browser = await app.as(teacher);
const [{ id: levelId }] = (await browser.get('/api/admin/transmission-levels')).body as [{ id: number }];
const person = (name: string) => ({
  email: `${name}@example.org`,
  firstName: 'Pema',
  lastName: 'Lhamo',
  transmissionLevels: [levelId],
});
await app.visitor().post('/api/password-reset/request', { email: student.email });
await app.idle();

const [{ newsToken }] = (await app.db.select().from(users).where(eq(users.id, student.id))) as [
  typeof users.$inferSelect,
];
credential(newsToken);
const resetToken = credential(/token=([\w-]+)/.exec(await lastMail())![1]!);
await browser.post('/api/admin/invite-users', { invites: [person('invited')] });
credential(/Password: (\S+)/i.exec(await lastMail())![1]!);
await app.db.transaction((tx) => app.services.signIn.sendLinkAgain(tx, student.id));
const signInLink = credential(/#link=([\w-]+)/.exec(await lastMail())![1]!);
const { code: signInCode } = await app.services.signIn.makeOwnCode(student, '127.0.0.1');
credential(signInCode);
const created = await browser.post('/api/admin/create-user-with-credentials', person('created'));
credential(created.body.password as string);
const own = await app.as(student);
const audio = { bytes: createTone(1), name: 'song.wav' };
const recording = (await own.form('/api/recordings', { title: 'Song', message: WORDS, audio })).body as {
  id: number;
};
await browser.form('/api/feedback', { recordingId: recording.id, writtenFeedback: REPLY });
await own.form('/api/recordings', { title: 'Pending', message: WORDS, audio });

async function lastMail() {
  const queued = await app.db.select().from(mails);
  return queued.at(-1)!.text!;
}

/** Returns a valid body that contains the typed text and the credentials. */
function bodyOf({ body }: Endpoint): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(body!, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(properties as Record<string, z.core.JSONSchema.BaseSchema>).map(([name, schema]) => [
      name,
      typed(name, schema),
    ]),
  );
}

function typed(name: string, { type, enum: values, format }: z.core.JSONSchema.BaseSchema): unknown {
  if (/password$/i.test(name)) return TEST_PASSWORD;
  if (name === 'token') return format === 'uuid' ? newsToken : resetToken;
  if (values) return values[0];
  if (format === 'uuid') return crypto.randomUUID();
  if (format === 'email') return student.email;
  if (type === 'string') return WORDS;
  if (type === 'boolean') return true;
  return type === 'array' ? [] : 1;
}

async function send(client: TestClient, endpoint: Endpoint): Promise<TestResponse | null> {
  const { method, files, body, bytes, staysOpen } = endpoint;
  const none = endpoint.path.startsWith('/api/admin/users/') ? crypto.randomUUID() : '2147483647';
  const query = new URLSearchParams({
    q: WORDS,
    token: resetToken,
    password: TEST_PASSWORD,
    since: WORDS,
    start: '0',
  });
  const path = `${endpoint.path.replace('{clientId}', crypto.randomUUID()).replace(/\{\w+\}/g, none)}?${query.toString()}`;
  if (staysOpen) {
    await (await client.stream(path, client.headers)).close();
    return null;
  }
  if (bytes) return client.send(method, path, Buffer.from(WORDS));
  if (!body) return client.send(method, path);
  if (!files) return client.send(method, path, bodyOf(endpoint));
  const fields = Object.entries(bodyOf(endpoint)).map(([name, value]) => [name, String(value)]);
  const song = { bytes: Buffer.from(WORDS), name: `${WORDS}.wav` };
  return client.form(path, { ...Object.fromEntries(fields), [Object.keys(files)[0]!]: song }, { method });
}

async function sendThroughAll(...callers: Who[]) {
  for (const who of callers) {
    for (const endpoint of allEndpoints) {
      const key = `${endpoint.method} ${endpoint.path}`;
      const reply = await send(await browserOf(who), endpoint);
      if (reply) note(who, key, reply);
      // Also sends a malformed body.
      if (endpoint.body && !endpoint.files)
        note(
          who,
          key,
          await (
            await browserOf(who)
          ).send(endpoint.method, endpoint.path, `{"password":"${TEST_PASSWORD}" ${WORDS}`),
        );
    }
    for (const [kind, token] of Object.entries({ link: signInLink, code: signInCode }))
      for (const path of ['/api/sign-in/one-time/owner', '/api/sign-in/one-time'])
        note(who, `POST ${path}`, await (await browserOf(who)).post(path, { kind, token }));
    const set = await (await browserOf(who)).post('/api/passkeys/challenge');
    if (set.status !== 200) note(who, 'POST /api/passkeys/challenge', set);
    else {
      const { challenge } = set.body as { challenge: string };
      const passkey = new FakeAuthenticator(app.url).answer({
        challenge: credential(challenge),
        rpId: 'localhost',
      });
      note(
        who,
        'POST /api/sign-in/passkey',
        await (await browserOf(who)).post('/api/sign-in/passkey', { passkey }),
      );
    }
    note(who, 'GET /reset-password', await (await browserOf(who)).get(`/reset-password?token=${resetToken}`));
  }
  await app.idle();
}

/** Runs `task` while all tables are missing, except those needed for authorization. */
async function withoutTables(task: () => Promise<void>) {
  const { rows } = await app.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' and 
      tablename not in ('users', 'sessions', 'library', 'user_transmission_access')`,
  );
  const rename = (from: string, to: string) =>
    app.db.execute(sql`alter table ${sql.identifier(from)} rename to ${sql.identifier(to)}`);
  for (const { name } of rows) await rename(name, `away_${name}`);
  await task();
  for (const { name } of rows) await rename(`away_${name}`, name);
}

await sendThroughAll('visitor', 'student', 'other', 'teacher');
const whileAllIsWell = answers.splice(0);
await withoutTables(() => sendThroughAll('student', 'teacher'));
const whileAllBreaks = answers.splice(0);
const all = [...whileAllIsWell, ...whileAllBreaks];

/** Returns which of these values a text contains. */
const findContained = (text: string, values: Iterable<string>) =>
  [...values].filter((value) => text.includes(value));

test('the test traffic has over fifty successes and over fifty logged failures', () => {
  const count = (status: number) => whileAllBreaks.filter((answer) => answer.status === status).length;
  expect(whileAllIsWell.filter(({ status }) => status < 300).length).toBeGreaterThan(50);
  expect(count(500)).toBeGreaterThan(50);
  expect(written.filter((line) => line.includes('"unexpected error"')).length).toBe(count(500));
  expect(written.length).toBeGreaterThan(all.length);
});

test('the log does not contain secrets at any level', () => {
  const secrets = [...credentials, WORDS, REPLY, encodeURIComponent(WORDS), WORDS.replaceAll(' ', '+')];
  expect(findContained(written.join(''), secrets)).toEqual([]);
});

test('metrics do not contain secrets', async () => {
  // Bypasses the proxy, which does not forward this path.
  const { body } = await new TestClient(app.direct).get('/metrics', {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  expect(body).toContain('http_requests_total');
  expect(findContained(body as string, [...credentials, WORDS, REPLY])).toEqual([]);
});

test('no response repeats a password, a cookie or a token', () => {
  const repeated = all.flatMap(({ who, key, text }) =>
    findContained(text, credentials).map((value) => ({ who, key, value })),
  );
  expect(repeated).toEqual([]);
});

test('private words reach only teachers and the student concerned, never in errors', () => {
  const repeated = all.filter(({ text }) => findContained(text, [WORDS, REPLY]).length > 0);
  expect(repeated.filter(({ status }) => status >= 300)).toEqual([]);
  expect(new Set(repeated.map(({ who }) => who))).toEqual(new Set(['student', 'teacher']));
});

test('the response to an unexpected error contains only the error’s number', () => {
  for (const { status, message, id } of whileAllBreaks)
    if (status === 500)
      expect(message).toBe(
        `Something went wrong on our side. Please try again. If it happens again, please report this number: ${id}`,
      );
});
