import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { allEndpoints } from '#app/api.ts';
import { MAX_VOICE_COMMENTS } from '#features/feedback/limits.ts';
import { inviteSchema } from '#features/people/invitations/contract.ts';
import { startTestApp } from '#testing/app.ts';
import { openRawConnection } from '#testing/raw-request.ts';
import { DEFAULT_MAX_JSON_BYTES, type Endpoint } from '#shared/endpoint.ts';

const app = await startTestApp();
// Same as `app`, but with short timeouts.
const hasty = await startTestApp({ beside: app, limits: { bodyMs: 500, headersMs: 500 } });
const teacher = await app.as(await app.make.teacher());
const student = await app.as(await app.make.student());

type Schema = z.core.JSONSchema.BaseSchema;
const MOST_ID = '2147483647';

/** Returns the longest value that a schema allows. */
function longest(schema: Schema, name = ''): unknown {
  if (schema.anyOf)
    return schema.anyOf
      .map((one) => longest(one, name))
      .sort((a, b) => escaped(b).length - escaped(a).length)[0];
  if (schema.enum) return [...schema.enum].sort((a, b) => String(b).length - String(a).length)[0];
  if (schema.type === 'array') {
    return Array.from({ length: schema.maxItems ?? 0 }, () => longest(schema.items as Schema));
  }
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties as Record<string, Schema>);
    return Object.fromEntries(properties.map(([key, part]) => [key, longest(part, key)]));
  }
  if (name === 'email') return `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.eeee`;
  if (schema.format === 'uuid') return crypto.randomUUID();
  if (schema.format === 'date') return '2026-11-20';
  if (schema.format === 'date-time') return '2026-11-20T06:30:00.123456789Z';
  // Uses a letter that every pattern in our schemas accepts.
  if (schema.pattern) return 'a'.repeat(schema.maxLength ?? 100);
  if (schema.type === 'string') return 'ཀ'.repeat(schema.maxLength ?? 100);
  if (schema.type === 'boolean') return false;
  if (schema.type === 'null') return null;
  if (schema.type === 'integer') return schema.maximum;
  if (schema.type === 'number') return Math.PI;
  // What remains is an id: a number, or a string of digits.
  return MOST_ID;
}

const escaped = (value: unknown) =>
  JSON.stringify(value).replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the JSON schema without references. An empty registry makes zod ignore ids and inline each part. */
const inputOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() }) as Schema;

/** Endpoints that accept JSON, each with its longest allowed body. */
const jsonEndpoints = allEndpoints
  .filter(({ body, files, isForm }) => body && !files && !isForm)
  .map((endpoint) => {
    const body = longest(inputOf(endpoint.body!)) as Record<string, unknown>;
    // Creates the invites from their own schema, because the contract accepts invites of any shape.
    if ('invites' in body) body.invites = Array.from({ length: 100 }, () => longest(inputOf(inviteSchema)));
    // Removes the voice comments of all later marks, because at most MAX_VOICE_COMMENTS marks may have one.
    if ('marks' in body)
      (body.marks as { voice?: string }[]).slice(MAX_VOICE_COMMENTS).forEach((mark) => delete mark.voice);
    return { endpoint, body };
  });

const pathOf = ({ path }: Endpoint) =>
  path
    .replace('{clientId}', crypto.randomUUID())
    .replace(/users\/\{id\}/, `users/${crypto.randomUUID()}`)
    .replace('{id}', '999999');

/** Returns a client that may call the endpoint. */
const callerOf = ({ access }: Endpoint) =>
  access === 'admin' ? teacher : access === 'public' ? app.visitor() : student;

const sendText = (endpoint: Endpoint, text: string) =>
  callerOf(endpoint).send(endpoint.method, pathOf(endpoint), text, {
    headers: { 'content-type': typeOf(endpoint) },
  });

const typeOf = ({ isForm }: Endpoint) => (isForm ? 'application/x-www-form-urlencoded' : 'application/json');

test('every endpoint that accepts JSON accepts its longest valid body', async () => {
  expect(jsonEndpoints.length).toBeGreaterThan(10);
  for (const { endpoint, body } of jsonEndpoints) {
    const what = `${endpoint.method} ${endpoint.path}`;
    expect([what, endpoint.body!.safeParse(body).error]).toEqual([what, undefined]);
    const text = escaped(body);
    expect([what, text.length <= (endpoint.bodyBytes ?? DEFAULT_MAX_JSON_BYTES)]).toEqual([what, true]);
    // Proves that the endpoint needs its raised limit.
    if (endpoint.bodyBytes) expect([what, text.length > DEFAULT_MAX_JSON_BYTES]).toEqual([what, true]);
    if (endpoint.path !== '/api/admin/invite-users') {
      const reply = await sendText(endpoint, text);
      expect([what, reply.body.message]).not.toEqual([what, 'This is too large to send.']);
    }
  }
  expect(inviteSchema.safeParse(longest(inputOf(inviteSchema))).success).toBe(true);
});

test('every endpoint rejects a body one byte too long, with or without Content-Length', async () => {
  const takesBody = allEndpoints.filter(({ method, files }) => method !== 'GET' && !files);
  for (const endpoint of takesBody) {
    const max = endpoint.bodyBytes ?? DEFAULT_MAX_JSON_BYTES;
    const what = `${endpoint.method} ${endpoint.path}`;
    const caller = callerOf(endpoint);
    const fits = await sendText(endpoint, '{}'.padEnd(max));
    expect([what, fits.status]).not.toEqual([what, 413]);
    const declared = openRawConnection(app.url);
    const headers = {
      cookie: `session=${caller.cookies.get('session')}`,
      'content-type': typeOf(endpoint),
    };
    declared.writeRequestHead(endpoint.method, pathOf(endpoint), { ...headers, 'content-length': max + 1 });
    const reply = await declared.answer;
    expect([what, reply.status]).toEqual([what, 413]);
    expect(reply.text).toContain('"message":"This is too large to send."');
    const chunked = openRawConnection(app.url);
    chunked.writeRequestHead(endpoint.method, pathOf(endpoint), {
      ...headers,
      'transfer-encoding': 'chunked',
    });
    chunked.write(`${(max + 1).toString(16)}\r\n${'{}'.padEnd(max + 1)}`);
    expect([what, (await chunked.answer).status]).toEqual([what, 413]);
    declared.end();
    chunked.end();
  }
});

test('rejects an upload chunk over 1 MB, even without a Content-Length', async () => {
  const path = `/api/uploads/${crypto.randomUUID()}`;
  await student.put(path, { size: 5_000_000 });
  const max = 1024 * 1024;
  const type = { 'content-type': 'application/octet-stream' };
  expect((await student.patch(`${path}?start=0`, new Uint8Array(max + 1))).status).toBe(413);
  const chunked = openRawConnection(app.url);
  chunked.writeRequestHead('PATCH', `${path}?start=0`, {
    cookie: `session=${student.cookies.get('session')}`,
    'transfer-encoding': 'chunked',
    ...type,
  });
  chunked.write(`${(max + 1).toString(16)}\r\n`);
  chunked.write(new Uint8Array(max + 1));
  expect((await chunked.answer).status).toBe(413);
  chunked.end();
  expect((await student.patch(`${path}?start=0`, new Uint8Array(max))).body).toEqual({ received: max });
});

test('responds 408 to a slow request body, with or without a session', async () => {
  for (const cookie of ['', `session=${student.cookies.get('session')}`]) {
    const slow = openRawConnection(hasty.url);
    slow.writeRequestHead('POST', '/api/login', {
      cookie,
      'content-type': 'application/json',
      'content-length': 40,
    });
    slow.write('{"username":');
    const { status, text } = await slow.answer;
    expect(status).toBe(408);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).toContain('"message":"Sending this took too long. Please try again');
    await slow.closed;
  }
});

test('a body that trickles in does not extend a signed-out client’s timeout', async () => {
  const slow = openRawConnection(hasty.url);
  slow.writeRequestHead('POST', '/api/login', {
    'content-type': 'application/json',
    'content-length': 10_000,
  });
  const dribbling = setInterval(() => slow.write(' '), 20);
  expect((await slow.answer).status).toBe(408);
  clearInterval(dribbling);
  await slow.closed;
});

test('a slowly sent draft gets the longer timeout of uploads', async () => {
  const patient = await startTestApp({ beside: app, limits: { bodyMs: 2_000 } });
  const draft = JSON.stringify({ text: 'So far', marks: [] });
  const slow = openRawConnection(patient.url);
  slow.writeRequestHead('PUT', '/api/admin/recordings/999999/draft', {
    cookie: `session=${teacher.cookies.get('session')}`,
    'content-type': 'application/json',
    'content-length': draft.length,
  });
  for (const letter of draft) {
    slow.write(letter);
    await sleep(100);
  }
  // The recording doesn't exist, but the response says so only after the whole body has arrived.
  expect((await slow.answer).status).toBe(404);
  slow.end();
});

test('disconnects a signed-out client that keeps uploading after the response', async () => {
  for (const [method, path, type] of [
    ['POST', '/api/recordings', 'multipart/form-data; boundary=b'],
    ['PATCH', `/api/uploads/${crypto.randomUUID()}?start=0`, 'application/octet-stream'],
    ['POST', '/api/nothing', 'application/json'],
    ['GET', '/api/health', 'application/json'],
    ['POST', '/api/%zz', 'application/json'],
  ] as const) {
    const upload = openRawConnection(hasty.url);
    upload.writeRequestHead(method, path, { 'content-type': type, 'content-length': 1_000_000_000 });
    upload.write('x'.repeat(100_000));
    expect([401, 404, 200, 413]).toContain((await upload.answer).status);
    const going = setInterval(() => upload.write('x'), 20);
    await upload.closed;
    clearInterval(going);
  }
});

test('throttles reading the rest of a body after the response', async () => {
  const arrived: IncomingMessage[] = [];
  const later = await startTestApp({
    beside: app,
    limits: { discardEachMs: 3_600_000 },
    prepare: (server) => void server.app.server.on('request', (request) => arrived.push(request)),
  });
  const upload = openRawConnection(later.url);
  const whole = 64 * 1024 * 1024;
  upload.writeRequestHead('POST', '/api/recordings', {
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': whole,
  });
  expect((await upload.answer).status).toBe(401);
  upload.write(Buffer.alloc(whole));
  for (let i = 0; i < 50; i += 1) expect((await later.visitor().get('/api/health')).status).toBe(200);
  expect(arrived[0]!.socket.bytesRead).toBeLessThan(whole / 2);
  upload.end();
});

test('discards the body of a rejected request and keeps its connection usable', async () => {
  const soon = await startTestApp({ beside: app, limits: { discardEachMs: 1 } });
  const connection = openRawConnection(soon.url);
  const whole = 20 * 1024 * 1024;
  const head = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': whole };
  connection.writeRequestHead('POST', '/api/recordings', head);
  expect((await connection.answer).status).toBe(401);
  connection.write(Buffer.alloc(whole));
  const heard = new Promise((resolve) => connection.socket.once('data', resolve));
  connection.writeRequestHead('GET', '/api/health', {});
  expect(String(await heard)).toMatch(/^HTTP\/1\.1 200 /);
  connection.end();
});

test('closes connections that send nothing or never finish their headers', async () => {
  const slow = openRawConnection(hasty.url);
  slow.write('GET /api/health HTTP/1.1\r\nhost: a\r\n');
  const dribbling = setInterval(() => slow.write('x-a: b\r\n'), 50);
  const { status, text } = await slow.answer;
  clearInterval(dribbling);
  expect(status).toBe(408);
  expect(text).toContain('{"message":"Sending this took too long. Please try again."}');
  await slow.closed;
  const silent = openRawConnection(hasty.url);
  expect(await silent.answer).toEqual({ status: 0, text: '' });
});

test('sends 100 Continue for Expect: 100-continue, then the response', async () => {
  const asks = openRawConnection(app.url);
  const body = JSON.stringify({ username: 'nobody', password: 'nothing' });
  asks.writeRequestHead('POST', '/api/login', {
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  });
  asks.socket.once('data', () => asks.write(body));
  const { status, text } = await asks.answer;
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
  expect(status).toBe(401);
  asks.end();
});

test('rejects compressed bodies and bodies of an unexpected content type', async () => {
  const body = { username: 'nobody', password: 'nothing' };
  const zipped = await app.visitor().send('POST', '/api/login', gzipSync(JSON.stringify(body)), {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect([zipped.status, zipped.body]).toEqual([415, { message: 'Please send the body uncompressed.' }]);
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'image/png',
    'nonsense',
  ];
  for (const type of types) {
    const reply = await app
      .visitor()
      .send('POST', '/api/login', 'a=b', { headers: { 'content-type': type } });
    expect([type, reply.status]).toEqual([type, 415]);
  }
  const bytes = await app.visitor().send('POST', '/api/login', new Uint8Array(10));
  expect([bytes.status, bytes.body]).toEqual([415, { message: 'Please send JSON.' }]);
  const form = await app.visitor().form('/api/login', { username: 'nobody', password: 'nothing' });
  expect(form.status).toBe(400);
  expect((await student.send('PATCH', `/api/uploads/${crypto.randomUUID()}?start=0`, '{}')).status).toBe(415);
  expect((await student.send('HEAD', '/api/user')).status).toBe(200);
  const get = openRawConnection(app.url);
  get.writeRequestHead('GET', '/api/health', { 'content-type': 'application/json', 'content-length': 3 });
  get.write('{}!');
  expect((await get.answer).status).toBe(200);
  get.end();
});
