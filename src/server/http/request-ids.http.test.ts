import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestResponse } from '#testing/client.ts';
import { openRawConnection } from '#testing/raw-request.ts';
import { openLog } from '../log.ts';

const written: string[] = [];
const log = openLog('trace', { write: (line) => void written.push(line) });
const app = await startTestApp({ log });
const behindProxy = await startTestApp({ log, environment: { TRUST_PROXY: '1' } });

type Line = { id?: string; msg: string; event?: string };
const lines = () => written.map((line) => JSON.parse(line) as Line);
const idOf = ({ headers }: Pick<TestResponse, 'headers'>) => headers.get('x-request-id');
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

beforeEach(() => void (written.length = 0));

test('every response has a unique request id', async () => {
  const student = await app.as(await app.make.student());
  const { headers } = await student.get('/api/user');
  const stream = await student.stream('/api/events');
  const replies = [
    await student.get('/api/user', { headers: { 'if-none-match': headers.get('etag')! } }),
    await student.get('/api/admin/users'),
    await student.get('/api/recordings/999999/thread'),
    await student.post('/api/login', 'no JSON'),
    await student.post('/api/logout', undefined, { headers: { origin: 'https://elsewhere.example' } }),
    await app.visitor().get('/api/login'),
    await app.visitor().get('/nowhere'),
    await app.visitor().get('/api/%'),
    stream,
  ];
  expect(replies.map(({ status }) => status)).toEqual([304, 403, 404, 400, 403, 302, 404, 404, 200]);
  for (const reply of replies) expect(idOf(reply)).toMatch(UUID);
  expect(new Set(replies.map(idOf)).size).toBe(replies.length);
  await stream.close();
});

test('a response to a message that is not HTTP has a request id', async () => {
  const connection = openRawConnection(app.url);
  connection.write('not HTTP\r\n\r\n');
  const { status, text } = await connection.answer;
  expect(status).toBe(400);
  expect(/x-request-id: (\S+)/.exec(text)?.[1]).toMatch(UUID);
});

const SENT = '4bf92f3577b34da6a3ce929d0e0e4736';
const fetchRequestId = async (server: typeof app, id: string) =>
  idOf(await server.visitor().get('/api/health', { headers: { 'x-request-id': id } }));

test('ignores a request id sent by a client', async () => {
  expect(await fetchRequestId(app, SENT)).toMatch(UUID);
});

test('reuses a valid request id from a trusted proxy, and ignores an invalid id', async () => {
  expect(await fetchRequestId(behindProxy, SENT)).toBe(SENT);
  for (const odd of ['short', 'x'.repeat(129), `${SENT}, ${SENT}`, '{"level":60}', 'naïve-naïve', ''])
    expect(await fetchRequestId(behindProxy, odd)).toMatch(UUID);
});

test('every log line of a request contains the request’s id', async () => {
  const student = await app.make.student();
  const signIn = (password: string) =>
    app.visitor().post('/api/login', { username: student.username, password });
  const [failed, done] = await Promise.all([signIn('guess'), signIn(TEST_PASSWORD)]);
  const client = await app.as(student);
  const withoutFile = await client.form('/api/recordings', { title: 'x'.repeat(300) });
  const unreadable = await client.post('/api/login', '{');
  const forReset = await app.visitor().post('/api/password-reset/request', { email: student.email });
  await app.idle();
  await expect.poll(() => lines().filter(({ msg }) => msg === 'answered').length).toBe(5);
  const said = (event: string) => lines().find((line) => line.event === event)?.id;
  expect([said('sign-in-failed'), said('signed-in'), said('reset-requested')]).toEqual(
    [failed, done, forReset].map(idOf),
  );
  const ids = new Set([failed, done, withoutFile, unreadable, forReset].map(idOf));
  expect(new Set(lines().map(({ id }) => id))).toEqual(ids);
});

/** Runs a task while a table is missing, so that all queries that use it fail. */
async function without<T>(table: string, task: () => Promise<T>): Promise<T> {
  await app.db.execute(sql.raw(`alter table ${table} rename to away`));
  try {
    return await task();
  } finally {
    await app.db.execute(sql.raw(`alter table away rename to ${table}`));
  }
}

test('the message of an unexpected error contains the request id of its log entry', async () => {
  const teacher = await app.as(await app.make.teacher());
  const reply = await without('audit_log', () => teacher.get('/api/admin/audit-log'));
  expect([reply.status, reply.body.message]).toEqual([
    500,
    `Something went wrong on our side. Please try again. If it happens again, please report this number: ${idOf(reply)}`,
  ]);
  expect(lines().find(({ msg }) => msg === 'unexpected error')?.id).toBe(idOf(reply));
});

test('logs the request id with an error that occurs after the response', async () => {
  const { email } = await app.make.student();
  const reply = await without('password_reset_tokens', async () => {
    const answered = await app.visitor().post('/api/password-reset/request', { email });
    await app.idle();
    return answered;
  });
  expect(reply.status).toBe(200);
  expect(lines().find(({ msg }) => msg.startsWith('creating a password reset link failed'))?.id).toBe(
    idOf(reply),
  );
});
