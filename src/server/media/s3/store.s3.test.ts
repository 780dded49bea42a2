import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createRawS3Storage, getS3Settings } from '#testing/s3.ts';
import { testMediaStore } from '#testing/store-contract.ts';
import { STORAGE_UNREACHABLE_MESSAGE } from '#server/data-folder/data-folder.ts';
import { formatErrorForOperator } from '#server/format-error.ts';
import type { Log } from '#server/log.ts';
import { getMediaFilePath } from '../layout.ts';

describe.each([
  ['a prefix', () => `songs/${randomUUID()}`],
  ['odd characters in its prefix', () => `odd +%20 é'"<&>#?=;:@,།/ ${randomUUID()}`],
])('an S3 store with %s', (_, prefix) => testMediaStore(() => createRawS3Storage(getS3Settings(prefix()))));

let said: { text: string; minutes?: number }[];
beforeEach(() => {
  said = [];
});
const note = ({ minutes }: { minutes?: number }, words: string) =>
  said.push({ text: words, ...(minutes !== undefined && { minutes }) });
const log = { error: note, warn: note } as unknown as Log;

const storeWith = async (environment: NodeJS.ProcessEnv) =>
  (await createRawS3Storage(getS3Settings(randomUUID(), environment), log)).open();

test.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
  ['an unknown key', () => ({ S3_ACCESS_KEY_ID: 'nobody' }), /does not know the key; check S3_ACCESS_KEY_ID/],
  [
    'a wrong secret',
    () => ({ S3_SECRET_ACCESS_KEY: 'wrong' }),
    /refuses the signature; check S3_SECRET_ACCESS_KEY/,
  ],
  [
    'the key of another user',
    () => ({
      S3_ACCESS_KEY_ID: inject('s3').stranger.accessKeyId,
      S3_SECRET_ACCESS_KEY: inject('s3').stranger.secretAccessKey,
    }),
    /refuses access; check the key/,
  ],
  ['a missing bucket', () => ({ S3_BUCKET: 'no-such-bucket' }), /has no such bucket; check S3_BUCKET/],
])('%s is logged once, and no file counts as missing', async (_, environment, why) => {
  const store = await storeWith(environment());
  const attempts = [
    () => store.open('aa-song.wav', { start: 0 }),
    () => store.installationId(),
    () => Array.fromAsync(store.list()),
    () => store.check(),
    () => store.claim(randomUUID()),
  ];
  for (const attempt of attempts) {
    const error: unknown = await attempt().catch((failed: unknown) => failed);
    expect(error).toMatchObject({ code: 'unavailable', message: STORAGE_UNREACHABLE_MESSAGE });
    expect(formatErrorForOperator(error)).toMatch(why);
  }
  expect(said).toEqual([{ text: expect.stringMatching(why) }]);
});

describe('clock skew', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['behind', -60],
    ['ahead', 60 * 24],
  ])('the S3 store works while our clock is %s, and logs the skew', async (_, minutes) => {
    const folder = await mkdtemp(join(tmpdir(), 'yangchen-staged-'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    const store = await storeWith({});
    await store.claim(randomUUID());
    await writeFile(join(folder, 'song'), 'om mani padme hum');
    await store.publish(join(folder, 'song'), 'aa-song.wav');
    expect(await text((await store.open('aa-song.wav', { start: 3 }))!.stream)).toBe('mani padme hum');
    expect(said).toEqual([
      {
        text: expect.stringMatching(/^the clocks of the S3 store and this server differ/),
        minutes: -minutes,
      },
    ]);
    // Checks that listed times are by our clock, because the sweep compares them with our clock to find old
    // files.
    const [found] = await Array.fromAsync(store.list());
    expect(Math.abs(found!.publishedAt.getTime() - Date.now())).toBeLessThan(60_000);
    await rm(folder, { recursive: true });
  });
});

test('rejects a file that is corrupted in transit, and accepts it when sent again', async () => {
  const { port, hostname } = new URL(inject('s3').endpoint);
  let isFaulty = true;
  const proxy = createServer((client) => {
    const store = connect(Number(port), hostname);
    client.on('data', (bytes) => {
      const at = isFaulty ? bytes.indexOf('mani') : -1;
      if (at >= 0) bytes[at] = 'n'.charCodeAt(0);
      store.write(bytes);
    });
    store.pipe(client);
    for (const [end, other] of [
      [client, store],
      [store, client],
    ] as const)
      end.on('close', () => other.destroy()).on('error', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const store = await storeWith({
    S3_ENDPOINT: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  });
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-staged-'));
  await writeFile(join(folder, 'song'), 'om mani padme hum');
  await expect(store.publish(join(folder, 'song'), 'aa-song.wav')).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(await store.open('aa-song.wav', { start: 0 })).toBeNull();
  isFaulty = false;
  await store.publish(join(folder, 'song'), 'aa-song.wav');
  expect(await text((await store.open('aa-song.wav', { start: 0 }))!.stream)).toBe('om mani padme hum');
  proxy.close();
  await rm(folder, { recursive: true });
});

test('serves a restored file even while other processes are still setting it aside', async () => {
  const place = await createRawS3Storage(getS3Settings(randomUUID()));
  const store = place.open();
  await place.write('set-aside/2026-11-22/aa-song.wav', 'om mani padme hum');
  expect(await store.aside.restore('aa-song.wav')).toBe(true);
  for (const _ of [1, 2]) {
    // Simulates the last step of another process that has already copied the file: deleting the original.
    await place.remove(getMediaFilePath('aa-song.wav'));
    expect(await text((await store.open('aa-song.wav', { start: 3 }))!.stream)).toBe('mani padme hum');
  }
});

test('lists each of two thousand files once, and no other objects in the bucket', async () => {
  const prefix = randomUUID();
  const place = await createRawS3Storage(getS3Settings(prefix));
  const names = Array.from(
    { length: 2_000 },
    (_, i) => `${(i % 256).toString(16).padStart(2, '0')}-${i}.wav`,
  );
  const left = [
    ...names.map(getMediaFilePath),
    'set-aside/2026-11-22/aa-aside.wav',
    'notes.txt',
    'aa/bb-elsewhere.wav',
  ];
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let path = left.pop(); path; path = left.pop()) await place.write(path, 'x');
    }),
  );
  // Writes a file of another installation, whose prefix starts with the same characters.
  await (await createRawS3Storage(getS3Settings(`${prefix}-2`))).write('aa/aa-other.wav', 'x');
  const listed = (await Array.fromAsync(place.open().list())).map(({ name }) => name);
  expect(listed).toEqual(names.sort());
});
