import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestApp } from '../testing/app.ts';
import { tone } from '../testing/tone.ts';
import { verifyArchive } from './archive.ts';
import { nightlyBackups } from './nightly-backups.ts';

const parent = await mkdtemp(join(tmpdir(), 'yangchen-nightly-'));
afterAll(() => rm(parent, { recursive: true, force: true }));
const folder = join(parent, 'backups');

const app = await startTestApp({ environment: { BACKUP_DIR: folder, BACKUP_KEEP: '2' } });
const { backups } = app.services;
const teacher = await app.as(await app.make.teacher());
const student = await app.as(await app.make.student());
const sent = await student.form('/api/recordings', {
  title: 'Sung',
  audio: { bytes: tone(1), name: 'a.wav' },
});
expect(sent.status).toBe(201);

const never = new AbortController().signal;
const atHour = (hour: number, day = 22) => app.clock.set(new Date(2026, 10, day, hour, 30));
const files = () => readdir(folder);
const notices = async () =>
  ((await teacher.get('/api/admin/notices')).body as { kind: string }[]).map(({ kind }) => kind);

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
});

test('one is taken each night, read back, and shown to the teacher; the oldest go, and other files stay', async () => {
  await writeFile(join(folder, 'a-file-of-mine.tar'), 'mine');
  await writeFile(join(folder, 'yangchen-2026-11-19.unchecked.part'), 'left by a crash');
  atHour(1);
  await backups.takeDue(never);
  expect(await files()).toEqual(['a-file-of-mine.tar', 'yangchen-2026-11-19.unchecked.part']);
  expect((await teacher.get('/api/admin/backups')).body).toEqual({ isNightly: true, latest: null });
  for (const day of [20, 21, 22]) {
    atHour(2, day);
    await backups.takeDue(never);
  }
  atHour(23);
  await backups.takeDue(never);
  expect(await files()).toEqual(['a-file-of-mine.tar', 'yangchen-2026-11-21.tar', 'yangchen-2026-11-22.tar']);
  const newest = await verifyArchive(join(folder, 'yangchen-2026-11-22.tar'));
  expect(newest.entries.map(({ name }) => name)).toContain(`media/${sent.body.audioUrl}`);
  expect((await teacher.get('/api/admin/backups')).body).toEqual({
    isNightly: true,
    latest: { takenAt: expect.any(String), bytes: expect.any(Number) },
  });
});

test('one that fails is told to the teacher until one succeeds, and leaves the former ones', async () => {
  await writeFile(join(folder, 'yangchen-2026-11-21.tar'), 'former');
  await rm(join(folder, 'yangchen-2026-11-22.tar'), { force: true });
  atHour(3);
  const failing = nightlyBackups({
    source: {
      connection: app.database.connection,
      store: { open: () => Promise.reject(new Error('The disk does not answer')) },
      outbox: join(app.dataDir, 'outbox'),
    },
    folder,
    keep: 2,
    ...{ db: app.db, notices: app.services.notices, clock: app.clock.now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await failing.takeDue(never);
  expect(await files()).toEqual(['yangchen-2026-11-21.tar']);
  expect(await notices()).toEqual(['backup-failed']);
  await backups.takeDue(never);
  expect(await files()).toEqual(['yangchen-2026-11-21.tar', 'yangchen-2026-11-22.tar']);
  expect(await notices()).toEqual([]);
});

test('none is begun that would fill its disk, nor in a folder that is not there', async () => {
  const tight = nightlyBackups({
    source: { connection: app.database.connection, store: app.store, outbox: '' },
    folder,
    keep: 2,
    ...{ db: app.db, notices: app.services.notices, clock: app.clock.now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    measure: () => Promise.resolve({ free: 80 * 1024 * 1024, total: 1e9 }),
  });
  atHour(3);
  await tight.takeDue(never);
  expect(await files()).toEqual([]);
  expect(await notices()).toEqual(['backup-failed']);
  await rm(folder, { recursive: true });
  await backups.takeDue(never);
  expect(await notices()).toEqual(['backup-failed']);
  expect((await teacher.get('/api/admin/backups')).body).toEqual({ isNightly: true, latest: null });
});

test('one that is given up at the end of the program is no failure', async () => {
  await app.services.notices.clear('backup-failed');
  atHour(3);
  await backups.takeDue(AbortSignal.abort());
  expect(await files()).toEqual([]);
  expect(await notices()).toEqual([]);
});
