import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import {
  beginRawForm,
  buildForm,
  getFormPartHead,
  openRawConnection,
  sendRawForm,
} from '#testing/raw-request.ts';
import { createTone } from '#testing/tone.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);
const WAITING = 5;
const MANY = 15;

const arrived: IncomingMessage[] = [];
function trackRequests({ app: { server } }: { app: FastifyInstance }) {
  server.on('request', (request) => void arrived.push(request));
}
const app = await startTestApp({
  limits: { uploadsWaiting: WAITING },
  prepare: trackRequests,
});
// Same as `app`, but with short timeouts for uploads.
const hasty = await startTestApp({
  beside: app,
  limits: { uploadIdleMs: 1_200, uploadWaitMs: 4_000 },
  prepare: trackRequests,
});

function begin(client: TestClient, path: string, length: number, url = app.url) {
  const connection = beginRawForm({ url, client, path }, length);
  open.push(connection);
  return connection;
}

let open: ReturnType<typeof openRawConnection>[] = [];
beforeEach(() => void (arrived.length = 0));
afterEach(() => {
  for (const connection of open) connection.end();
  open = [];
});

async function until(condition: () => boolean) {
  while (!condition()) await sleep(5);
}

const isRead = (request: IncomingMessage) => request.readableFlowing !== null;

test('reads two forms of a student concurrently, queues five, and rejects the rest', async () => {
  const student = await app.as(await app.make.student());
  const forms = Array.from({ length: MANY }, () => {
    const form = begin(student, '/api/recordings', 41 * MEGABYTE.length);
    form.write(getFormPartHead('name="audio"; filename="a.wav"'));
    form.write(createTone(1));
    for (let i = 0; i < 10; i += 1) form.write(MEGABYTE);
    return form;
  });
  let refused = 0;
  for (const { answer } of forms)
    void answer.then(({ status }) => {
      if (status === 429) refused += 1;
    });
  await until(() => refused === MANY - 2 - WAITING);
  const unread = arrived.filter((request) => !request.complete && !isRead(request));
  expect(unread.length).toBe(WAITING);
  // The server has received no more of an unread form than fits into the stream's buffer.
  for (const request of unread) expect(request.readableLength).toBeLessThanOrEqual(256 * 1024);
  // Another user doesn't have to wait.
  const other = await app.as(await app.make.student());
  const audio = { bytes: createTone(1), name: 'song.wav' };
  expect((await other.form('/api/recordings', { title: 'Mine', audio })).status).toBe(201);
});

test('a user’s third form waits until one of the first two is complete', async () => {
  const student = await app.as(await app.make.student());
  const form = buildForm([['title', 'Song']]);
  const [first, second] = [1, 2].map(() => begin(student, '/api/recordings', form.length));
  await until(() => arrived.filter(isRead).length === 2);
  const third = sendRawForm({ url: app.url, client: student, path: '/api/recordings' }, form);
  await until(() => arrived.length === 3);
  const waits = arrived[2]!;
  // Other requests don't wait for the third form.
  for (let i = 0; i < 3; i += 1) expect((await student.get('/api/user')).status).toBe(200);
  expect(isRead(waits)).toBe(false);
  first!.write(form);
  // All three forms are rejected because they lack a recording.
  expect((await first!.answer).status).toBe(400);
  expect((await third).status).toBe(400);
  second!.write(form);
  expect((await second!.answer).status).toBe(400);
});

test('a user who lost the connection during two uploads can send a third', async () => {
  const student = await hasty.as(await hasty.make.student());
  // Simulates a phone that has switched networks: no further data arrives, and no FIN.
  const dead = [1, 2].map(() => {
    const form = begin(student, '/api/recordings', 1000, hasty.url);
    form.write(getFormPartHead('name="title"'));
    return form;
  });
  await until(() => arrived.filter(isRead).length === 2);
  const audio = { bytes: createTone(1), name: 'song.wav' };
  expect((await student.form('/api/recordings', { title: 'Again', audio })).status).toBe(201);
  for (const form of dead) {
    const { status, text } = await form.answer;
    expect(status).toBe(408);
    expect(text).toContain('"message":"Sending this took too long.');
    await form.closed;
  }
});

test('deletes the staged files of stalled uploads', async () => {
  const student = await hasty.as(await hasty.make.student());
  for (let i = 0; i < 3; i += 1) {
    const form = begin(student, '/api/recordings', 1000, hasty.url);
    form.write(getFormPartHead('name="audio"; filename="a.wav"') + 'RIFF');
    await form.closed;
  }
  await until(() => arrived.every(({ closed }) => closed));
  const staging = join(hasty.dataDir, 'staging');
  while ((await readdir(staging)).length > 0) await sleep(5);
});

test('a slow upload that makes progress is not aborted', async () => {
  const student = await hasty.as(await hasty.make.student());
  const form = buildForm([['title', 'Song']]);
  const slow = begin(student, '/api/recordings', form.length, hasty.url);
  const step = Math.ceil(form.length / 16);
  for (let at = 0; at < form.length; at += step) {
    slow.write(form.slice(at, at + step));
    await sleep(100);
  }
  expect((await slow.answer).status).toBe(400);
});

test('a form that waits too long for a slot is rejected with Retry-After', async () => {
  const student = await hasty.as(await hasty.make.student());
  const dribble = [1, 2].map(() => begin(student, '/api/recordings', 100_000, hasty.url));
  await until(() => arrived.filter(isRead).length === 2);
  const dribbling = setInterval(() => dribble.forEach((form) => form.write('-')), 20);
  try {
    const reply = await student.form('/api/recordings', { title: 'Mine' });
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(reply.body.message).toMatch(/^Your other uploads are still running\./);
  } finally {
    clearInterval(dribbling);
  }
});

test('an aborted form frees its slot immediately', async () => {
  const student = await app.as(await app.make.student());
  for (let i = 0; i < 6; i += 1) {
    const form = begin(student, '/api/recordings', 1000);
    form.write(getFormPartHead('name="title"'));
    await until(() => arrived.filter(isRead).length === i + 1);
    form.end();
  }
  expect((await student.form('/api/recordings', { title: 'Mine' })).status).toBe(400);
});

test('reads four chunks of a user concurrently, queues five, and rejects the rest', async () => {
  const student = await app.as(await app.make.student());
  const chunks = Array.from({ length: 20 }, () => {
    const connection = openRawConnection(app.url);
    open.push(connection);
    connection.writeRequestHead('PATCH', `/api/uploads/${crypto.randomUUID()}?start=0`, {
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
