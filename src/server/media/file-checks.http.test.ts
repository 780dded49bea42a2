import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { mediaFiles, notices } from '../db/schema.ts';
import { FILE_DAMAGED_MESSAGE } from '#shared/media.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import type { Log } from '../log.ts';
import { createFileChecks } from './file-checks.ts';
import { createDailyFileCheck } from './daily-file-check.ts';
import { getMediaFilePath } from './layout.ts';
import { createNoticesService } from '../notices.ts';
import { createFileVerifier } from './verification.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const student = await app.make.student();
const client = await app.as(student);

afterEach(async () => {
  app.clock.reset();
  for (const table of ['recordings', 'media_files', 'notices']) await app.db.execute(`delete from ${table}`);
});

const createRecordingFile = async () => (await app.make.recording({ student })).audioUrl;
const fetchSound = async (name: string, headers: Record<string, string> = {}) => {
  const { status, bytes } = await client.get(`/api/files/${name}?type=audio`, { headers });
  return [status, bytes.equals(createTone(1))];
};
const rowOf = async (name: string) =>
  (await app.db.select().from(mediaFiles).where(eq(mediaFiles.name, name)))[0]!;
const listNotices = async () =>
  (await app.db.select().from(notices)).map(({ kind, detail }) => ({ kind, detail }));
const check = () => app.services.fileRounds({ before: new Date(0), read: 'share' });

async function flipAByte(path: string) {
  const bytes = await app.media.read(path);
  bytes[bytes.length - 5]! ^= 1;
  await app.media.write(path, bytes);
}

test('the daily check blocks a file with a flipped byte and notifies the teacher', async () => {
  const [good, bad] = [await createRecordingFile(), await createRecordingFile()];
  await flipAByte(getMediaFilePath(bad));
  await check();
  expect((await rowOf(good)).damage).toBeNull();
  expect((await rowOf(bad)).damage).toBe('changed');
  expect(await listNotices()).toEqual([{ kind: 'files-damaged', detail: { missing: 0, changed: 1 } }]);

  const whole = await client.get(`/api/files/${bad}?type=audio`);
  expect([whole.status, whole.body]).toEqual([503, { message: FILE_DAMAGED_MESSAGE }]);
  expect((await fetchSound(bad, { range: 'bytes=0-99' }))[0]).toBe(503);
  // Checks that the server doesn't respond 304 to a browser that has cached the file and sends its ETag.
  const etag = `"${(await rowOf(bad)).sha256}"`;
  expect((await fetchSound(bad, { 'if-none-match': etag }))[0]).toBe(503);
  expect(await fetchSound(good)).toEqual([200, true]);
});

test('serves a repaired file again after the next check', async () => {
  const name = await createRecordingFile();
  const original = await app.media.read(getMediaFilePath(name));
  await flipAByte(getMediaFilePath(name));
  await check();
  expect((await fetchSound(name))[0]).toBe(503);
  await app.media.write(getMediaFilePath(name), original);
  await check();
  expect(await fetchSound(name)).toEqual([200, true]);
  expect(await listNotices()).toEqual([]);
});

test('stops reporting a damaged file when its recording is deleted', async () => {
  const { id, audioUrl } = await app.make.recording({ student });
  await flipAByte(getMediaFilePath(audioUrl));
  await check();
  expect(await listNotices()).toHaveLength(1);
  expect((await client.delete(`/api/recordings/${id}`)).status).toBe(200);
  await check();
  expect(await listNotices()).toEqual([]);
});

test('detects a missing file when it is requested, and serves it once it is back', async () => {
  const name = await createRecordingFile();
  const original = await app.media.read(getMediaFilePath(name));
  await app.media.remove(getMediaFilePath(name));
  expect((await fetchSound(name))[0]).toBe(503);
  expect((await rowOf(name)).damage).toBe('missing');
  expect(await listNotices()).toEqual([{ kind: 'files-damaged', detail: { missing: 1, changed: 0 } }]);
  await app.media.write(getMediaFilePath(name), original);
  expect(await fetchSound(name)).toEqual([200, true]);
  expect(await listNotices()).toEqual([]);
});

test('does not serve a missing file that reappears with different content', async () => {
  const name = await createRecordingFile();
  await app.media.remove(getMediaFilePath(name));
  expect((await fetchSound(name))[0]).toBe(503);
  await app.media.write(getMediaFilePath(name), Buffer.alloc(createTone(1).length));
  expect((await fetchSound(name))[0]).toBe(503);
  expect((await rowOf(name)).damage).toBe('changed');
});

test.each([
  ['shorter', (bytes: Buffer) => bytes.subarray(0, 1000)],
  ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
])('does not serve a file that became %s', async (_, change) => {
  const name = await createRecordingFile();
  await app.media.write(getMediaFilePath(name), change(await app.media.read(getMediaFilePath(name))));
  expect((await fetchSound(name, { range: 'bytes=0-9' }))[0]).toBe(503);
  expect((await rowOf(name)).damage).toBe('changed');
});

test.skipIf(app.settings.s3)(
  'does not report files as missing if the whole media folder is missing',
  async () => {
    const name = await createRecordingFile();
    const media = join(app.dataDir, 'media');
    await rename(media, `${media}.away`);
    try {
      await expect(check()).rejects.toMatchObject({ code: 'unavailable' });
      expect((await fetchSound(name))[0]).toBe(503);
    } finally {
      await rename(`${media}.away`, media);
    }
    expect((await rowOf(name)).damage).toBeNull();
    expect(await fetchSound(name)).toEqual([200, true]);
  },
);

test('/api/ready names damaged files only to an admin', async () => {
  const name = await createRecordingFile();
  await flipAByte(getMediaFilePath(name));
  await check();
  const told = async (who: TestClient) => (await who.get('/api/ready')).body;
  await expect
    .poll(() => told(teacher))
    .toEqual({ status: 'ready', detail: { damagedFiles: { missing: 0, changed: 1, names: [name] } } });
  for (const other of [client, app.visitor()])
    await expect.poll(() => told(other)).toEqual({ status: 'ready' });
});

test('logs the name of a damaged file once, even if two checks find it', async () => {
  const said: unknown[] = [];
  const log = {
    error: (about: unknown) => said.push(about),
    info: (about: unknown) => said.push(about),
  } as unknown as Log;
  const { db, store, staging } = app;
  const [notices, clock] = [createNoticesService(db), app.clock.now];
  const checks = createFileChecks({ db, store, notices, log, clock });
  const { connection } = app.database;
  const verify = createFileVerifier({ db, connection, store, checks, notices, clock });
  const round = createDailyFileCheck({ verify, staging, log });
  const name = await createRecordingFile();
  await flipAByte(getMediaFilePath(name));
  for (const _ of [1, 2]) await round({ before: new Date(0), read: 'share' });
  expect(said).toEqual([{ name, damage: 'changed' }]);
});

test('each daily check reads some of the files, least recently checked first', async () => {
  const names = [await createRecordingFile(), await createRecordingFile()].sort();
  const bytes = Buffer.from('om ah hum');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const more = Array.from({ length: 150 }, (_, i) => `zz-${i}.wav`);
  for (const name of more) await app.media.write(getMediaFilePath(name), bytes);
  const insert = more.map(
    (name) => `('${name}', 'recording-audio', 'audio/wav', ${bytes.length}, '${sha256}', now())`,
  );
  await app.db.execute(
    `insert into media_files (name, slot, content_type, size, sha256, checked_at) values ${insert.join(',')}`,
  );
  app.clock.set(new Date('2030-01-01T00:00:00Z'));
  await check();
  for (const name of names) expect((await rowOf(name)).checkedAt).toEqual(new Date('2030-01-01T00:00:00Z'));
  const { rows } = await app.db.execute<{ n: number }>(
    `select count(*)::int as n from media_files where checked_at = '2030-01-01T00:00:00Z'`,
  );
  expect(rows[0]!.n).toBe(100);
});

test('an aborted check leaves the remaining files for the next check', async () => {
  const name = await createRecordingFile();
  const aborted = { before: new Date(0), signal: AbortSignal.abort() };
  for (const read of ['share', 'none'] as const)
    await expect(app.services.fileRounds({ ...aborted, read })).rejects.toThrow('abort');
  expect((await rowOf(name)).checkedAt).toBeNull();
});
