import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notices } from '../db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { getMediaFilePath } from './layout.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const DAY_MS = 24 * 60 * 60 * 1000;

// Starts each test at the same fixed time, without files or rows.
beforeEach(() => app.clock.set(new Date('2026-11-22T08:00:00Z')));
afterEach(async () => {
  for (const table of ['recordings', 'media_files', 'notices']) await app.db.execute(`delete from ${table}`);
  for (const name of await app.files()) await app.store.remove(name);
  for (const day of await app.store.aside.days()) await app.store.aside.deleteDay(day);
});

/** Runs a sweep with a cutoff in the future, so that all files count as old. */
const sweep = () => app.services.fileRounds({ before: new Date(Date.now() + 60_000), read: 'none' });

const orphan = (name: string) => app.media.write(getMediaFilePath(name), 'left over');
const orphans = async (howMany: number) => {
  for (let i = 0; i < howMany; i += 1) await orphan(`ff-orphan-${i}.wav`);
};
const listSetAside = (day: string) => app.media.namesIn(`set-aside/${day}`);
const rowOf = (name: string) =>
  app.db.execute(
    `insert into media_files (name, slot, content_type, size, sha256) values ('${name}', 'recording-audio', 'audio/wav', 9, 'x')`,
  );
const listNotices = async () =>
  (await app.db.select().from(notices)).map(({ kind, detail }) => ({ kind, detail }));

test('sets aside a file without a row, and restores it when it gets a row', async () => {
  const recording = await app.make.recording();
  await orphan('ff-orphan.wav');
  expect(await sweep()).toEqual({ files: 1, staged: 0 });
  expect(await app.files()).toEqual([recording.audioUrl]);
  expect(await listSetAside('2026-11-22')).toEqual(['ff-orphan.wav']);

  await rowOf('ff-orphan.wav');
  expect(await sweep()).toEqual({ files: 0, staged: 0 });
  expect((await app.files()).sort()).toEqual([recording.audioUrl, 'ff-orphan.wav'].sort());
});

test('plays a recording whose file was set aside', async () => {
  const recording = await app.make.recording();
  await app.store.aside.begin('2026-11-01');
  await app.store.aside.put(recording.audioUrl, '2026-11-01');
  // Removes the empty folder, as an operator may do.
  const folder = join(app.dataDir, 'media', recording.audioUrl.slice(0, 2));
  await rm(folder, { recursive: true, force: true });
  const reply = await teacher.get(`/api/files/${recording.audioUrl}?type=audio`);
  expect([reply.status, reply.bytes.equals(createTone(1))]).toEqual([200, true]);
  expect(await app.files()).toEqual([recording.audioUrl]);
});

test('notifies the teacher instead of moving files if too many files have no row', async () => {
  await orphans(12);
  expect(await sweep()).toEqual({ files: 0, staged: 0 });
  expect(await app.files()).toHaveLength(12);
  expect(await app.store.aside.days()).toEqual([]);
  expect(await listNotices()).toEqual([{ kind: 'sweep-held', detail: { files: 12, of: 12 } }]);

  for (let i = 0; i < 12; i += 1) await rowOf(`ff-orphan-${i}.wav`);
  await sweep();
  expect(await app.files()).toHaveLength(12);
  expect(await listNotices()).toEqual([]);
});

test('sets orphans aside if there are at most ten, or at most a tenth of all files', async () => {
  await orphans(10);
  expect((await sweep()).files).toBe(10);
  for (let i = 0; i < 110; i += 1) {
    await orphan(`aa-${i}.wav`);
    if (i >= 11) await rowOf(`aa-${i}.wav`);
  }
  expect((await sweep()).files).toBe(11);
  expect(await app.files()).toHaveLength(99);
  expect(await listNotices()).toEqual([]);
});

test('deletes a file more than thirty days after it was set aside', async () => {
  await orphan('ff-orphan.wav');
  await sweep();
  for (let day = 1; day <= 30; day += 1) {
    app.clock.advance(DAY_MS);
    await sweep();
    expect(await listSetAside('2026-11-22')).toEqual(['ff-orphan.wav']);
  }
  app.clock.advance(DAY_MS);
  await sweep();
  expect(await listSetAside('2026-11-22')).toBeNull();
});

test('files set aside are not deleted early if the clock is wrong', async () => {
  await orphan('ff-orphan.wav');
  await sweep();
  for (const wrong of ['2027-11-22T08:00:00Z', '1970-01-01T00:00:00Z', '2026-11-23T08:00:00Z']) {
    app.clock.set(new Date(wrong));
    await orphan(`ff-at-${wrong.slice(0, 4)}.wav`);
    await sweep();
  }
  expect(await listSetAside('2026-11-22')).toEqual(['ff-orphan.wav']);
  // Checks that no day from 1970 was begun. As the earliest day, it would be deleted first.
  expect(await app.store.aside.days()).toEqual(['2026-11-22', '2027-11-22']);
  expect(await listSetAside('2027-11-22')).toHaveLength(3);
});

test('removes a deleted recording’s file immediately, even if it was set aside', async () => {
  const student = await app.make.student();
  const recording = await app.make.recording({ student });
  await app.store.aside.begin('2026-11-01');
  await app.store.aside.put(recording.audioUrl, '2026-11-01');
  const reply = await (await app.as(student)).delete(`/api/recordings/${recording.id}`);
  expect(reply.status).toBe(200);
  expect(await app.files()).toEqual([]);
  expect(await listSetAside('2026-11-01')).toEqual([]);
});

test.skipIf(app.settings.s3)(
  'the sweep fails and does not create a folder while the media folder is missing',
  async () => {
    const media = join(app.dataDir, 'media');
    await orphan('ff-orphan.wav');
    await rename(media, `${media}.away`);
    await expect(sweep()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await readdir(app.dataDir)).not.toContain('media');
    await rename(`${media}.away`, media);
    expect(await app.files()).toEqual(['ff-orphan.wav']);
  },
);
