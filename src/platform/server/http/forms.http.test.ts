import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { BOUNDARY, formOf, partHead, rawConnection } from '../../../testing/raw-request.ts';
import { tone } from '../../../testing/tone.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const WAITING = 5;

const arrived: IncomingMessage[] = [];
function noteRequests({ app: { server } }: { app: FastifyInstance }) {
  server.on('request', (request) => void arrived.push(request));
}
const app = await startTestApp({
  limits: { uploadsWaiting: WAITING },
  prepare: noteRequests,
});
// In which an upload that stands still is soon given up.
const hasty = await startTestApp({
  beside: app,
  limits: { uploadIdleMs: 400, uploadWaitMs: 2_000 },
  prepare: noteRequests,
});

let open: ReturnType<typeof rawConnection>[] = [];
beforeEach(() => void (arrived.length = 0));
afterEach(() => {
  for (const connection of open) connection.end();
  open = [];
});

/** Begins a form, which may be longer than what is written of it. */
function begin(
  client: Client,
  path: string,
  length: number,
  { url, method }: { url?: string; method?: string } = {},
) {
  const connection = rawConnection(url ?? app.url);
  open.push(connection);
  connection.ask(method ?? 'POST', path, {
    cookie: `session=${client.cookies.get('session')}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': length,
  });
  return connection;
}

async function send(client: Client, path: string, form: string | Uint8Array, method?: string) {
  const connection = begin(client, path, Buffer.byteLength(form), method ? { method } : {});
  connection.write(form);
  const { status, text } = await connection.answer;
  return { status, message: /"message":"([^"]*)"/.exec(text)?.[1] };
}

async function until(isSo: () => boolean) {
  while (!isSo()) await sleep(5);
}

const isRead = (request: IncomingMessage) => request.readableFlowing !== null;

test('of forty unfinished forms of one student two are read, a few wait unread, and the others are refused at once', async () => {
  const student = await app.as(await app.make.student());
  const field = `${partHead('name="message"')}${MEGABYTE}\r\n`;
  const forms = Array.from({ length: 40 }, () => {
    const form = begin(student, '/api/recordings', 41 * MEGABYTE.length);
    for (let i = 0; i < 10; i += 1) form.write(field);
    return form;
  });
  let refused = 0;
  for (const { answer } of forms)
    void answer.then(({ status }) => {
      if (status === 429) refused += 1;
    });
  await until(() => refused === 40 - 2 - WAITING);
  const unread = arrived.filter((request) => !request.complete && !isRead(request));
  expect(unread.length).toBe(WAITING);
  // What of an unread form is here is what the stream takes in advance.
  for (const request of unread) expect(request.readableLength).toBeLessThanOrEqual(256 * 1024);
  // Somebody else is not held up by it.
  const other = await app.as(await app.make.student());
  const audio = { bytes: tone(1), name: 'song.wav' };
  expect((await other.form('/api/recordings', { title: 'Mine', audio })).status).toBe(201);
});

test('a third form of one person waits, and goes on when one of the two has arrived', async () => {
  const student = await app.as(await app.make.student());
  const form = formOf([['title', 'Song']]);
  const [first, second] = [1, 2].map(() => begin(student, '/api/recordings', form.length));
  await until(() => arrived.filter(isRead).length === 2);
  const third = send(student, '/api/recordings', form);
  await until(() => arrived.length === 3);
  const waits = arrived[2]!;
  // What was asked after it is answered before it.
  for (let i = 0; i < 3; i += 1) expect((await student.get('/api/user')).status).toBe(200);
  expect(isRead(waits)).toBe(false);
  first!.write(form);
  // All three lack a recording, and are told so in their turn.
  expect((await first!.answer).status).toBe(400);
  expect((await third).status).toBe(400);
  second!.write(form);
  expect((await second!.answer).status).toBe(400);
});

test('whoever lost the connection in the middle of two forms can send a third', async () => {
  const student = await hasty.as(await hasty.make.student());
  // Their phone has changed its network: nothing more comes, and nobody says so.
  const dead = [1, 2].map(() => {
    const form = begin(student, '/api/recordings', 1000, { url: hasty.url });
    form.write(partHead('name="title"'));
    return form;
  });
  await until(() => arrived.filter(isRead).length === 2);
  const audio = { bytes: tone(1), name: 'song.wav' };
  expect((await student.form('/api/recordings', { title: 'Again', audio })).status).toBe(201);
  for (const form of dead) {
    const { status, text } = await form.answer;
    expect(status).toBe(408);
    expect(text).toContain('"message":"This took too long to arrive.');
    await form.closed;
  }
});

test('nothing is left of uploads that stood still', async () => {
  const student = await hasty.as(await hasty.make.student());
  for (let i = 0; i < 3; i += 1) {
    const form = begin(student, '/api/recordings', 1000, { url: hasty.url });
    form.write(partHead('name="audio"; filename="a.wav"') + 'RIFF');
    await form.closed;
  }
  await until(() => arrived.every(({ closed }) => closed));
  const staging = join(hasty.dataDir, 'staging');
  while ((await readdir(staging)).length > 0) await sleep(5);
});

test('a slow upload that goes on moving is left alone', async () => {
  const student = await hasty.as(await hasty.make.student());
  const form = formOf([['title', 'Song']]);
  const slow = begin(student, '/api/recordings', form.length, { url: hasty.url });
  const step = Math.ceil(form.length / 8);
  for (let at = 0; at < form.length; at += step) {
    slow.write(form.slice(at, at + step));
    await sleep(100);
  }
  expect((await slow.answer).status).toBe(400);
});

test('one who waits for too long is told when to come again', async () => {
  const student = await hasty.as(await hasty.make.student());
  const dribble = [1, 2].map(() => begin(student, '/api/recordings', 100_000, { url: hasty.url }));
  await until(() => arrived.filter(isRead).length === 2);
  const dribbling = setInterval(() => dribble.forEach((form) => form.write('-')), 20);
  try {
    const reply = await student.form('/api/recordings', { title: 'Mine' });
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(reply.body.message).toMatch(/^Other things that you have sent are still on their way\./);
  } finally {
    clearInterval(dribbling);
  }
});

test('a form that its sender gave up makes room at once', async () => {
  const student = await app.as(await app.make.student());
  for (let i = 0; i < 6; i += 1) {
    const form = begin(student, '/api/recordings', 1000);
    form.write(partHead('name="title"'));
    await until(() => arrived.filter(isRead).length === i + 1);
    form.end();
  }
  expect((await student.form('/api/recordings', { title: 'Mine' })).status).toBe(400);
});

test('each field has its own limit, by its contract', async () => {
  const student = await app.as(await app.make.student());
  const title = await send(student, '/api/recordings', formOf([['title', 'a'.repeat(601)]]));
  expect(title).toEqual({ status: 400, message: 'title: must be at most 200 characters' });
  const id = await send(
    student,
    '/api/recordings',
    formOf([
      ['title', 'Song'],
      ['clientId', 'a'.repeat(301)],
    ]),
  );
  expect(id).toEqual({ status: 400, message: 'clientId: must be at most 100 characters' });
});

test('the longest melody in Tibetan arrives whole, with its description and all its times', async () => {
  const teacher = await app.as(await app.make.teacher());
  const melody = await app.make.melody({});
  const lines = (count: number, width: number) =>
    Array.from({ length: count }, () => 'ཀ'.repeat(width - 1)).join('\n');
  const typed = {
    title: 'ཀ'.repeat(200),
    description: 'ཁ'.repeat(5_000),
    melodyText: lines(20_000, 10).padEnd(200_000, 'ག'),
    timings: JSON.stringify(
      Array.from({ length: 20_000 }, (_, line) => ({ line, start: line * 3.141592653589793 })),
    ),
  };
  const reply = await teacher.form(`/api/melodies/${melody.id}`, typed, { method: 'PUT' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ description: typed.description, melodyText: typed.melodyText });
  const beyond = await teacher.form(
    `/api/melodies/${melody.id}`,
    { melodyText: 'ཀ'.repeat(200_001) },
    { method: 'PUT' },
  );
  expect([beyond.status, beyond.body.issues]).toEqual([
    400,
    [{ path: 'melodyText', message: 'must be at most 200,000 characters' }],
  ]);
});

test('the texts of one form are 2 MB at most together', async () => {
  const teacher = await app.as(await app.make.teacher());
  const melody = await app.make.melody({});
  const form = formOf([
    ['melodyText', 'a'.repeat(600_000)],
    ['timings', ' '.repeat(1_500_000)],
  ]);
  const reply = await send(teacher, `/api/melodies/${melody.id}`, form, 'PUT');
  expect(reply).toEqual({ status: 413, message: 'This form is too large.' });
});

test('a field of another name is skipped however long it is, and one that comes twice is refused', async () => {
  const student = await app.as(await app.make.student());
  const unknown = formOf([
    ['other', MEGABYTE],
    ['title', 'Song'],
    ['audio', 'no file'],
  ]);
  expect(await send(student, '/api/recordings', unknown)).toEqual({
    status: 400,
    message: 'Please record or upload an audio file.',
  });
  const twice = formOf([
    ['title', 'One'],
    ['title', 'Two'],
  ]);
  expect(await send(student, '/api/recordings', twice)).toEqual({
    status: 400,
    message: 'title: is given twice',
  });
});

test('names and parts that no form has are refused or skipped, and never a failure', async () => {
  const student = await app.as(await app.make.student());
  const title: [string, string] = ['title', 'Song'];
  const odd: [form: string, status: number][] = [
    [formOf([['__proto__', 'x'], title]), 400],
    [formOf([['constructor', 'x'], title]), 400],
    [formOf([['', 'x'], title]), 400],
    [formOf([['x'.repeat(100_000), 'x'], title]), 400],
    [formOf(Array.from({ length: 1000 }, (_, i) => [`f${i}`, ''])), 413],
    [formOf(Array.from({ length: 1000 }, () => title)), 413],
    // A file with the name of a field, and the other way round.
    [`${partHead('name="title"; filename="a.wav"')}x\r\n--${BOUNDARY}--\r\n`, 400],
    [`${partHead('name="audio"')}x\r\n--${BOUNDARY}--\r\n`, 400],
    [`${partHead('filename="a.wav"')}x\r\n--${BOUNDARY}--\r\n`, 400],
    [`--${BOUNDARY}\r\n${'x-odd: 1\r\n'.repeat(5_000)}\r\nx\r\n--${BOUNDARY}--\r\n`, 400],
    [`--${BOUNDARY}--\r\n`, 400],
    ['nothing of a form', 400],
    ['', 400],
  ];
  const before = await app.count('recordings');
  for (const [index, [form, status]] of odd.entries()) {
    const reply = await send(student, '/api/recordings', form);
    expect([index, reply.status, typeof reply.message]).toEqual([index, status, 'string']);
  }
  expect(await app.count('recordings')).toBe(before);
  expect((await student.form('/api/recordings', { title: 'Mine' })).status).toBe(400);
});

test('a form that is sent a byte at a time, in chunks, is put together', async () => {
  const student = await app.as(await app.make.student());
  const connection = rawConnection(app.url);
  open.push(connection);
  connection.ask('POST', '/api/recordings', {
    cookie: `session=${student.cookies.get('session')}`,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'transfer-encoding': 'chunked',
  });
  const form = Buffer.from(formOf([['title', 'སྒྲ']]));
  connection.write(Buffer.concat([...form].map((byte) => Buffer.from([49, 13, 10, byte, 13, 10]))));
  connection.write('0\r\n\r\n');
  const { status, text } = await connection.answer;
  expect(status).toBe(400);
  expect(text).toContain('Please record or upload');
});

test('chunks of one person’s files are read a few at a time as well', async () => {
  const student = await app.as(await app.make.student());
  const chunks = Array.from({ length: 20 }, () => {
    const connection = rawConnection(app.url);
    open.push(connection);
    connection.ask('PATCH', `/api/uploads/${crypto.randomUUID()}?start=0`, {
      cookie: `session=${student.cookies.get('session')}`,
      'content-type': 'application/octet-stream',
      'content-length': MEGABYTE.length,
    });
    connection.write(MEGABYTE.slice(1));
    return connection;
  });
  let refused = 0;
  for (const { answer } of chunks)
    void answer.then(({ status }) => {
      if (status === 429) refused += 1;
    });
  await until(() => refused === 20 - 4 - WAITING);
  expect(arrived.filter((request) => !request.complete && !isRead(request)).length).toBe(WAITING);
});
