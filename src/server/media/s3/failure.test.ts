import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isDatabaseDownError } from '#server/db/database-errors.ts';
import { STORAGE_UNREACHABLE_MESSAGE } from '#server/data-folder/data-folder.ts';
import { formatErrorForOperator } from '#server/format-error.ts';
import type { Log } from '#server/log.ts';
import { STORAGE_FULL_MESSAGE } from '../disk-space.ts';
import { openS3Store } from './store.ts';
import type { MediaStore } from '../store.ts';
import { checkBucket } from '../watch-bucket.ts';

// Tests the messages for users, the operator and the log when a store fails.

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

let said: string[];
beforeEach(() => {
  said = [];
});
const note = (_: unknown, text: string) => said.push(text);
const log = { error: note, warn: note } as unknown as Log;

const PATIENCE = { answerMs: 1_000, stalledMs: 1_000, copyMs: 1_000 };

const storeAt = (port: number): MediaStore =>
  openS3Store(
    {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket: 'songs',
      prefix: '',
      forcePathStyle: true,
      accessKeyId: 'the-key',
      secretAccessKey: 'the-secret-word',
    },
    log,
    PATIENCE,
  );

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  cleanUp.push(close);
  return { port: (server.address() as AddressInfo).port, close };
}

const storeAnswering = async (answer: RequestListener) => storeAt((await serve(answer)).port);

const refusing =
  (status: number, code: string): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  };

async function staged(content = 'om mani padme hum') {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-staged-'));
  cleanUp.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'song');
  await writeFile(path, content);
  return path;
}

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(() => null).catch((failed: unknown) => failed);
  expect(error, 'the attempt fails').toBeInstanceOf(Error);
  return error as Error;
}

/** Operations of a store, each with its name in test titles. */
const attempts: [string, (store: MediaStore) => Promise<unknown>][] = [
  ['streaming a file', (store) => store.open('aa-song.wav', { start: 0 })],
  ['reading a range of bytes', (store) => store.read('aa-song.wav', { start: 0, end: 9 })],
  ['publishing a file', async (store) => store.publish(await staged(), 'aa-song.wav')],
  ['deleting a file', (store) => store.remove('aa-song.wav')],
  ['listing files', (store) => store.list()[Symbol.asyncIterator]().next()],
  ['setting a file aside', (store) => store.aside.put('aa-song.wav', '2026-11-22')],
  ['starting a day of set-aside files', (store) => store.aside.begin('2026-11-22')],
  ['listing the days of set-aside files', (store) => store.aside.days()],
  ['claiming the bucket', (store) => store.claim(randomUUID())],
  ['reading the id of the installation', (store) => store.installationId()],
  ['checking the store', (store) => store.check()],
];

async function closedPort() {
  const { port, close } = await serve(() => undefined);
  await close();
  cleanUp.pop();
  return port;
}

test.each(attempts)('%s fails with 503 while no server listens', async (_, attempt) => {
  expect(await failureOf(attempt(storeAt(await closedPort())))).toMatchObject({
    code: 'unavailable',
    message: STORAGE_UNREACHABLE_MESSAGE,
    retryAfter: 5,
  });
  expect(said).toEqual([
    expect.stringMatching(/^the S3 store can’t be reached \(.*ECONNREFUSED.*\); check S3_ENDPOINT/),
  ]);
});

test.each(attempts)('%s times out while the store sends nothing', async (_, attempt) => {
  const store = await storeAnswering((request) => void request.resume());
  expect(await failureOf(attempt(store))).toMatchObject({
    code: 'unavailable',
    message: STORAGE_UNREACHABLE_MESSAGE,
  });
  expect(said).toEqual([expect.stringMatching(/^the S3 store does not answer in time;/)]);
});

test.each<[RequestListener, RegExp]>([
  [refusing(403, 'InvalidAccessKeyId'), /does not know the key; check S3_ACCESS_KEY_ID/],
  [refusing(403, 'SignatureDoesNotMatch'), /refuses the signature; check S3_SECRET_ACCESS_KEY/],
  [refusing(403, 'AccessDenied'), /refuses access; check the key, and that it may list/],
  [refusing(404, 'NoSuchBucket'), /has no such bucket; check S3_BUCKET/],
  [refusing(403, 'RequestTimeTooSkewed'), /clock/],
  [refusing(301, 'PermanentRedirect'), /in another region, or at another address/],
  [refusing(501, 'NotImplemented'), /has no conditional writes/],
  [refusing(500, 'InternalError'), /answered 500 InternalError/],
  [refusing(404, 'SomethingElse'), /answered 404 SomethingElse/],
])('an error response is explained, not taken for a missing file (%#)', async (answer, why) => {
  const store = await storeAnswering(answer);
  for (const [, attempt] of attempts.slice(0, 3)) {
    const error = await failureOf(attempt(store));
    expect(error).toMatchObject({ code: 'unavailable', message: STORAGE_UNREACHABLE_MESSAGE });
    expect(formatErrorForOperator(error)).toMatch(why);
    expect(formatErrorForOperator(error)).not.toMatch(/the-secret-word|\n/);
  }
  expect(said).toEqual([expect.stringMatching(why)]);
});

test('an HTML 404 from another server does not count as a missing file', async () => {
  const store = await storeAnswering((request, response) => {
    request.resume();
    response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>404</title>Not here');
  });
  for (const [, attempt] of attempts.slice(0, 3))
    expect(await failureOf(attempt(store))).toMatchObject({ code: 'unavailable' });
});

test.each(['QuotaExceeded', 'XMinioStorageFull'])(
  'reports the store’s error %s as full storage',
  async (code) => {
    const store = await storeAnswering(refusing(403, code));
    expect(await failureOf(store.publish(await staged(), 'aa-song.wav'))).toMatchObject({
      code: 'storage-full',
      message: STORAGE_FULL_MESSAGE,
    });
  },
);

test('a file stays staged if the store cannot be reached', async () => {
  const path = await staged();
  await failureOf(storeAt(await closedPort()).publish(path, 'aa-song.wav'));
  expect(await readFile(path, 'utf8')).toBe('om mani padme hum');
});

test('an unreadable staged file is not reported as the store’s failure', async () => {
  const store = await storeAnswering(refusing(500, 'InternalError'));
  expect(await failureOf(store.publish(tmpdir(), 'aa-song.wav'))).toMatchObject({ code: 'EISDIR' });
  expect(said).toEqual([]);
});

test('a download fails if the store stalls, but not if the stream is read slowly', async () => {
  const half = Buffer.alloc(300_000, 'x');
  const store = await storeAnswering((_, response) => {
    response.writeHead(200, { 'content-length': String(half.length * 2) });
    response.write(half);
  });
  const { stream } = (await store.open('aa-song.wav', { start: 0 }))!;
  let read = 0;
  const reading = (async () => {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      // Waits longer than the stall timeout.
      if (read === 0) await new Promise((resolve) => setTimeout(resolve, 3 * PATIENCE.stalledMs));
      read += chunk.length;
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'unavailable', message: STORAGE_UNREACHABLE_MESSAGE });
  expect(read).toBe(half.length);
  expect(said).toEqual([expect.stringMatching(/^the S3 store does not answer in time;/)]);
});

test('a store connection that breaks mid-file is not taken for a database failure', async () => {
  const store = await storeAnswering((_, response) => {
    response.writeHead(200, { 'content-length': '34' });
    response.write('om mani padme hum', () => response.socket!.resetAndDestroy());
  });
  const { stream } = (await store.open('aa-song.wav', { start: 0 }))!;
  const error = await failureOf(text(stream));
  expect(error).toMatchObject({ code: 'unavailable', message: STORAGE_UNREACHABLE_MESSAGE });
  expect(isDatabaseDownError(error)).toBe(false);
  expect(said).toEqual([expect.stringMatching(/^the S3 store can’t be reached/)]);
});

test('an error in the destination stream is not reported as the store’s failure', async () => {
  const store = await storeAnswering((_, response) => void response.end('om mani padme hum'));
  const { stream } = (await store.open('aa-song.wav', { start: 0 }))!;
  await expect(pipeline(stream, createWriteStream(tmpdir()))).rejects.toMatchObject({ code: 'EISDIR' });
  expect(said).toEqual([]);
});

const sendingPart = (contentRange: string) =>
  storeAnswering((_, response) => {
    response.writeHead(206, { 'content-range': contentRange, 'content-length': '7' }).end('om mani');
  });

test.each([
  ['fewer bytes than announced', 'bytes 10-26/27'],
  ['a smaller range than requested', 'bytes 10-16/27'],
])('returns the bytes that arrive if the store sends %s', async (_, contentRange) => {
  const store = await sendingPart(contentRange);
  const range = { start: 10, end: 26 };
  expect(await store.read('aa-song.wav', range)).toEqual({ bytes: Buffer.from('om mani'), size: 17 });
});

test('a response with the wrong range is reported as the store’s failure', async () => {
  const store = await sendingPart('bytes 0-6/27');
  const asked = store.read('aa-song.wav', { start: 10, end: 16 });
  expect(await failureOf(asked)).toMatchObject({ code: 'unavailable' });
  expect(said).toEqual([expect.stringMatching(/does not say which part it sends/)]);
});

test('an upload continues while it makes progress, and is aborted if it stalls', async () => {
  const large = 'x'.repeat(32_000_000);
  // Number of pauses. Together they are longer than the stall timeout, but each is shorter.
  let pauses = 4;
  const store = await storeAnswering((request, response) => {
    let arrived = 0;
    request.on('data', (chunk: Buffer) => {
      arrived += chunk.length;
      if (arrived < 2_000_000 || pauses === 0) return;
      [arrived, pauses] = [0, pauses - 1];
      request.pause();
      setTimeout(() => request.resume(), PATIENCE.stalledMs / 2);
    });
    request.on('end', () => response.end());
  });
  await store.publish(await staged(large), 'aa-song.wav');
  const deaf = await storeAnswering((request) => void request.pause());
  expect(await failureOf(deaf.publish(await staged(large), 'aa-song.wav'))).toMatchObject({
    code: 'unavailable',
  });
});

test('does not retry an upload to a store that hangs', async () => {
  let times = 0;
  const store = await storeAnswering((request) => {
    times += 1;
    request.resume();
  });
  await failureOf(store.publish(await staged(), 'aa-song.wav'));
  expect(times).toBe(1);
});

test('retries an upload if the store has closed the idle connection', async () => {
  let times = 0;
  const store = await storeAnswering((request, response) => {
    times += 1;
    if (times === 2) return void request.socket.resetAndDestroy();
    request.resume().on('end', () => response.end());
  });
  await store.publish(await staged(), 'aa-1.wav');
  await store.publish(await staged(), 'aa-2.wav');
  expect([times, said]).toEqual([3, []]);
});

test('logs a failure of the store once and its recovery once', async () => {
  let isDown = true;
  const store = await storeAnswering((request, response) => {
    if (isDown) return refusing(500, 'InternalError')(request, response);
    response.end(request.method === 'GET' ? 'x' : undefined);
  });
  for (let i = 0; i < 3; i += 1) await failureOf(store.read('aa-song.wav', { start: 0, end: 0 }));
  isDown = false;
  for (let i = 0; i < 3; i += 1) (await store.open('aa-song.wav', { start: 0 }))!.stream.resume();
  expect(said).toEqual([expect.stringMatching(/answered 500/), 'the S3 store answers again']);
});

test('opens a set-aside file that another process restores at the same moment', async () => {
  let isBack = false;
  const store = await storeAnswering((request, response) => {
    if (request.url!.includes('list-type=2'))
      return response.end(
        '<ListBucketResult><Contents><Key>set-aside/2026-11-22/aa-song.wav</Key></Contents></ListBucketResult>',
      );
    if (request.method === 'GET' && isBack) return response.end('om');
    if (request.method === 'DELETE') return response.writeHead(204).end();
    // Simulates another process that restores the file at this moment. The copy (PUT) then fails, because the
    // file is no longer set aside.
    if (request.method === 'PUT') isBack = true;
    refusing(404, 'NoSuchKey')(request, response);
  });
  const found = (await store.open('aa-song.wav', { start: 0 }))!;
  expect(await text(found.stream)).toBe('om');
});

test('logs once that a store can be read but not written', async () => {
  const store = await storeAnswering((request, response) => {
    if (request.method === 'PUT') return refusing(403, 'QuotaExceeded')(request, response);
    response.end('x');
  });
  for (let i = 0; i < 3; i += 1) {
    await failureOf(store.check());
    (await store.open('aa-song.wav', { start: 0 }))!.stream.resume();
  }
  expect(said).toEqual([expect.stringMatching(/answered 403 QuotaExceeded/)]);
});

test('check() fails while the store is read-only, and then caches a success', async () => {
  let mayWrite = false;
  let writes = 0;
  const store = await storeAnswering((request, response) => {
    if (request.method === 'PUT' && !mayWrite) return refusing(403, 'AccessDenied')(request, response);
    if (request.method === 'PUT') writes += 1;
    request.resume().on('end', () => response.end());
  });
  expect(await failureOf(store.check())).toMatchObject({ code: 'unavailable' });
  mayWrite = true;
  for (let i = 0; i < 3; i += 1) await store.check();
  expect(writes).toBe(1);
});

test('warns the operator about a store that ignores If-None-Match', async () => {
  const store = await storeAnswering((request, response) => {
    if (request.method === 'GET') return refusing(404, 'NoSuchKey')(request, response);
    request.resume().on('end', () => response.end());
  });
  await store.claim(randomUUID());
  expect(said).toEqual([expect.stringMatching(/ignores If-None-Match/)]);
});

test('does not report files as missing if the bucket was emptied or replaced', async () => {
  const id = randomUUID();
  let holds: string | null = id;
  const store = await storeAnswering((request, response) => {
    if (request.method === 'PUT') return void request.resume().on('end', () => response.end());
    if (holds === null || !request.url!.startsWith('/songs/installation'))
      return refusing(404, 'NoSuchKey')(request, response);
    const bytes = `${holds}\n`;
    response.writeHead(206, { 'content-range': `bytes 0-36/37`, 'content-length': '37' }).end(bytes);
  });
  await store.claim(id);
  for (const other of [null, randomUUID()]) {
    holds = other;
    expect(await failureOf(store.open('aa-song.wav', { start: 0 }))).toMatchObject({ code: 'unavailable' });
    expect(await failureOf(store.check())).toMatchObject({ code: 'unavailable' });
    expect(await failureOf(store.publish(await staged(), 'aa-song.wav'))).toMatchObject({
      code: 'unavailable',
    });
  }
  holds = id;
  await store.check();
  expect(said).toEqual([
    expect.stringMatching(/no longer contains the id of this installation/),
    'the bucket is back',
  ]);
});

test('the teacher is notified of a missing or emptied bucket until it is restored', async () => {
  let answer: RequestListener = refusing(404, 'NoSuchKey');
  const store = await storeAnswering((request, response) => {
    if (request.method === 'PUT') return void request.resume().on('end', () => response.end());
    return answer(request, response);
  });
  const id = randomUUID();
  await store.claim(id);
  const told: string[] = [];
  const notices = {
    raise: async (kind: string) => void told.push(`raise ${kind}`),
    clear: async (kind: string) => void told.push(`clear ${kind}`),
  };
  const whole: RequestListener = (_, response) =>
    response.writeHead(206, { 'content-range': 'bytes 0-36/37', 'content-length': '37' }).end(`${id}\n`);
  const expected = [
    [refusing(404, 'NoSuchBucket'), 'raise bucket-missing'],
    [refusing(404, 'NoSuchKey'), 'raise bucket-missing'],
    [refusing(503, 'SlowDown'), undefined],
    [whole, 'clear bucket-missing'],
  ] as const;
  for (const [next, what] of expected) {
    answer = next;
    await checkBucket(store, notices);
    expect(told.splice(0)).toEqual(what === undefined ? [] : [what]);
  }
});
