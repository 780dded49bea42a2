import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { mediaFiles, notices } from '#server/db/schema.ts';
import { FILE_DAMAGED_MESSAGE } from '#shared/media.ts';
import { STORAGE_UNREACHABLE_MESSAGE } from '#server/data-folder/data-folder.ts';
import { getMediaFolder, getMediaFilePath } from '#server/media/layout.ts';
import type { MediaStore } from '#server/media/store.ts';
import { startTestApp } from '#testing/app.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { createTone } from '#testing/tone.ts';

// Tests stored files that are too short. Clients bypass the proxy, which would close the connection
// differently.

const real = {} as MediaStore;
/** Methods of the store that one test overrides. */
let faulty: Partial<MediaStore> = {};

const app = await startTestApp({
  alone: true,
  environment: DISK_MEDIA_ENVIRONMENT,
  store(store) {
    Object.assign(real, store);
    return new Proxy(store, { get: (_, key) => Reflect.get({ ...store, ...faulty }, key) as unknown });
  },
});
const student = await app.make.student();
const client = await app.as(student);

afterEach(async () => {
  faulty = {};
  for (const table of ['recordings', 'media_files', 'notices']) await app.db.execute(`delete from ${table}`);
});

/**
 * Duration in seconds of a recording that is large enough to be streamed. Shorter ones are read into memory.
 */
const LONG_SECONDS = 30;

const createRecordingFile = async (seconds: number) =>
  (await app.make.recording({ student, seconds })).audioUrl;
const addressOf = (name: string) => `/api/files/${name}?type=audio`;
const damageOf = async (name: string) =>
  (await app.db.select().from(mediaFiles).where(eq(mediaFiles.name, name)))[0]!.damage;
const listNotices = async () =>
  (await app.db.select().from(notices)).map(({ kind, detail }) => ({ kind, detail }));

const cutOff = (name: string) => truncate(join(getMediaFolder(app.dataDir), getMediaFilePath(name)), 100_000);

/** Opens the file, and truncates it before its last byte is read. */
const cutOffOnceOpen: MediaStore['open'] = async (name, range) => {
  const opened = await real.open(name, range);
  await cutOff(name);
  return opened;
};

test.each([
  ['a file', undefined],
  ['a part of a file', 'bytes=1000-400000'],
])('aborts the response and records damage if %s is truncated', async (_, range) => {
  const name = await createRecordingFile(LONG_SECONDS);
  faulty = { open: cutOffOnceOpen };
  const asked = client.get(addressOf(name), range ? { headers: { range } } : undefined);
  await expect(asked).rejects.toThrow('terminated');
  expect(await damageOf(name)).toBe('changed');
  expect(await listNotices()).toEqual([{ kind: 'files-damaged', detail: { missing: 0, changed: 1 } }]);
  expect((await client.get(addressOf(name))).body).toEqual({ message: FILE_DAMAGED_MESSAGE });
});

test('records a file as damaged if the disk can’t read it to the end', async () => {
  const name = await createRecordingFile(LONG_SECONDS);
  const unreadable = () => Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  faulty = {
    async open(opened, range) {
      const { stream, size } = (await real.open(opened, range))!;
      async function* bytes() {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          yield chunk;
          throw unreadable();
        }
      }
      return { stream: Readable.from(bytes(), { objectMode: false }), size };
    },
    digest: () => Promise.reject(unreadable()),
  };
  await expect(client.get(addressOf(name))).rejects.toThrow('terminated');
  expect(await damageOf(name)).toBe('changed');
});

test('HEAD of a truncated file returns 503', async () => {
  const name = await createRecordingFile(LONG_SECONDS);
  await cutOff(name);
  expect((await client.send('HEAD', addressOf(name))).status).toBe(503);
  expect(await damageOf(name)).toBe('changed');
});

test.each([
  ['a short file', undefined],
  ['a short part', 'bytes=10-99'],
])('returns 503 before the first byte if %s has too few bytes', async (_, range) => {
  const name = await createRecordingFile(1);
  faulty = {
    async read(...asked) {
      const { bytes, size } = (await real.read(...asked))!;
      return { bytes: bytes.subarray(0, -5), size };
    },
  };
  const reply = await client.get(addressOf(name), range ? { headers: { range } } : undefined);
  expect([reply.status, reply.body]).toEqual([503, { message: STORAGE_UNREACHABLE_MESSAGE }]);
});

test('a single bad response from the store is not recorded as damage', async () => {
  const name = await createRecordingFile(LONG_SECONDS);
  faulty = {
    async open(asked, { start }) {
      const { size } = (await real.open(asked, { start: 0, end: 0 }))!;
      const { stream } = (await real.open(asked, { start, end: size - 1000 }))!;
      return { stream, size };
    },
  };
  await expect(client.get(addressOf(name))).rejects.toThrow('terminated');
  expect([await damageOf(name), await listNotices()]).toEqual([null, []]);
  faulty = {};
  expect((await client.get(addressOf(name))).bytes.equals(createTone(LONG_SECONDS))).toBe(true);
});
