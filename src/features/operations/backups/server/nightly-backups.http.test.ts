import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { installation } from '#server/db/schema.ts';
import { getMediaFilePath } from '#server/media/layout.ts';
import type { MediaStore } from '#server/media/store.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { verifyBackupArchive } from './archive.ts';
import { takeBackup } from './take-backup.ts';
import { createNightlyBackups, assertBackupFolderWritable, type RestoreTestResult } from './service.ts';

const parent = await mkdtemp(join(tmpdir(), 'yangchen-nightly-'));
afterAll(() => rm(parent, { recursive: true, force: true }));
const folder = join(parent, 'backups');

const app = await startTestApp({
  alone: true,
  environment: { ...DISK_MEDIA_ENVIRONMENT, BACKUP_DIR: folder, BACKUP_KEEP: '2' },
});
const { backups } = app.services;
const teacher = await app.as(await app.make.teacher());
const student = await app.as(await app.make.student());
const sent = await student.form('/api/recordings', {
  title: 'Sung',
  audio: { bytes: createTone(1), name: 'a.wav' },
});
expect(sent.status).toBe(201);

const never = new AbortController().signal;
const UNTESTED = { isOverdue: false, restoreProvenAt: null, restoreFailedAt: null };
const atHour = (hour: number, day = 22) => app.clock.set(new Date(2026, 10, day, hour, 30));
const files = () => readdir(folder);
const notices = async () =>
  ((await teacher.get('/api/admin/notices')).body as { kind: string }[]).map(({ kind }) => kind);

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
});

test('takes a verified backup each night and deletes only the oldest backups', async () => {
  await writeFile(join(folder, 'a-file-of-mine.tar'), 'mine');
  await writeFile(join(folder, 'yangchen-2026-11-19.unchecked.part'), 'left by a crash');
  atHour(1);
  await backups.takeIfDue(never);
  expect(await files()).toEqual(['a-file-of-mine.tar', 'yangchen-2026-11-19.unchecked.part']);
  expect((await teacher.get('/api/admin/backups')).body).toEqual({
    ...{ isNightly: true, latest: null, keptForDamage: [], ...UNTESTED },
  });
  for (const day of [20, 21, 22]) {
    atHour(2, day);
    await backups.takeIfDue(never);
  }
  atHour(23);
  await backups.takeIfDue(never);
  expect(await files()).toEqual(['a-file-of-mine.tar', 'yangchen-2026-11-21.tar', 'yangchen-2026-11-22.tar']);
  const newest = await verifyBackupArchive(join(folder, 'yangchen-2026-11-22.tar'));
  expect(newest.entries.map(({ name }) => name)).toContain(`media/${sent.body.audioUrl}`);
  expect((await teacher.get('/api/admin/backups')).body).toEqual({
    isNightly: true,
    latest: { takenAt: expect.any(String), bytes: expect.any(Number) },
    keptForDamage: [],
    ...UNTESTED,
  });
});

test('a failed backup keeps older backups and raises a notice until the next success', async () => {
  await writeFile(join(folder, 'yangchen-2026-11-21.tar'), 'former');
  await rm(join(folder, 'yangchen-2026-11-22.tar'), { force: true });
  atHour(3);
  const failing = createNightlyBackups({
    source: {
      connection: app.database.connection,
      store: { open: () => Promise.reject(new Error('The disk does not answer')) },
      outbox: join(app.dataDir, 'outbox'),
    },
    folder,
    canRunElsewhere: false,
    keep: 2,
    checks: app.services.fileChecks,
    testRestore: () => Promise.resolve('proven'),
    ...{ db: app.db, notices: app.services.notices, clock: app.clock.now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await failing.takeIfDue(never);
  expect(await files()).toEqual(['yangchen-2026-11-21.tar']);
  expect(await notices()).toEqual(['backup-failed']);
  await backups.takeIfDue(never);
  expect(await files()).toEqual(['yangchen-2026-11-21.tar', 'yangchen-2026-11-22.tar']);
  expect(await notices()).toEqual([]);
});

test('does not start a backup if the disk would become full or the folder is missing', async () => {
  const tight = createNightlyBackups({
    source: { connection: app.database.connection, store: app.store, outbox: '' },
    folder,
    canRunElsewhere: false,
    keep: 2,
    checks: app.services.fileChecks,
    testRestore: () => Promise.resolve('proven'),
    ...{ db: app.db, notices: app.services.notices, clock: app.clock.now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    measure: () => Promise.resolve({ free: 80 * 1024 * 1024, total: 1e9 }),
  });
  atHour(3);
  await tight.takeIfDue(never);
  expect(await files()).toEqual([]);
  expect(await notices()).toEqual(['backup-failed']);
  await rm(folder, { recursive: true });
  await backups.takeIfDue(never);
  expect(await notices()).toEqual(['backup-failed']);
  expect((await teacher.get('/api/admin/backups')).body).toMatchObject({ isNightly: true, latest: null });
});

test('a backup aborted at shutdown is not reported as failed', async () => {
  await app.services.notices.clear('backup-failed');
  atHour(3);
  await backups.takeIfDue(AbortSignal.abort());
  expect(await files()).toEqual([]);
  expect(await notices()).toEqual([]);
});

test('keeps the last good backup of a damaged file until the file is restored', async () => {
  const name = sent.body.audioUrl as string;
  const night = async (day: number) => {
    atHour(2, day);
    await backups.takeIfDue(never);
  };
  await night(1);
  const bytes = await app.media.read(getMediaFilePath(name));
  await app.media.write(
    getMediaFilePath(name),
    Buffer.from(bytes.map((byte, at) => (at === 99 ? byte ^ 1 : byte))),
  );
  await night(2);
  expect(await notices()).toContain('files-damaged');
  expect((await student.get(`/api/files/${name}?type=audio`)).status).toBe(503);
  for (const day of [3, 4, 5]) await night(day);
  expect(await files()).toEqual(['01', '04', '05'].map((day) => `yangchen-2026-11-${day}.tar`));
  const { keptForDamage } = (await teacher.get('/api/admin/backups')).body as { keptForDamage: string[] };
  expect(keptForDamage).toHaveLength(1);

  execFileSync('tar', ['-xf', join(folder, 'yangchen-2026-11-01.tar'), `media/${name}`], { cwd: parent });
  await app.media.write(getMediaFilePath(name), await readFile(join(parent, 'media', name)));
  await app.services.fileRounds({ before: new Date(0), read: 'none' });
  expect((await student.get(`/api/files/${name}?type=audio`)).bytes).toEqual(createTone(1));
  await night(6);
  expect(await files()).toEqual(['05', '06'].map((day) => `yangchen-2026-11-${day}.tar`));
  expect(await notices()).toEqual([]);
});

test('a backup records an unreadable file as damaged and contains all other files', async () => {
  const open: MediaStore['open'] = async (...of) => {
    const opened = await app.store.open(...of);
    if (!opened || of[0] !== sent.body.audioUrl) return opened;
    const unreadable = async function* () {
      for await (const chunk of opened.stream) {
        yield (chunk as Buffer).subarray(0, 10);
        throw Object.assign(new Error('i/o error'), { code: 'EIO' });
      }
    };
    return { ...opened, stream: Readable.from(unreadable()) };
  };
  const path = join(folder, 'mine.tar');
  const source = { connection: app.database.connection, store: { open }, outbox: '/nowhere' };
  const { damaged } = await takeBackup(source, path, () => undefined);
  expect(damaged).toEqual([sent.body.audioUrl]);
  expect((await verifyBackupArchive(path)).damaged).toEqual(damaged);
});

test('after two days without a backup, shows a notice until the next backup', async () => {
  atHour(3);
  await backups.takeIfDue(never);
  await utimes(join(folder, 'yangchen-2026-11-22.tar'), app.clock.now(), app.clock.now());
  atHour(1, 24);
  await backups.check();
  expect(await notices()).toEqual([]);
  atHour(3, 25);
  await backups.check();
  expect(await notices()).toEqual(['backup-overdue']);
  await backups.takeIfDue(never);
  await utimes(join(folder, 'yangchen-2026-11-25.tar'), app.clock.now(), app.clock.now());
  await backups.check();
  expect(await notices()).toEqual([]);
});

test('the newest backup is restored in a test once a month, and each night after a failure', async () => {
  await app.db.insert(installation).values({}).onConflictDoNothing();
  const tested: string[] = [];
  let result: RestoreTestResult | Error = 'proven';
  const service = createNightlyBackups({
    source: { connection: app.database.connection, store: app.store, outbox: '' },
    folder,
    canRunElsewhere: false,
    keep: 2,
    checks: app.services.fileChecks,
    testRestore: (path) => {
      tested.push(path.slice(folder.length + 1));
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
    ...{ db: app.db, notices: app.services.notices, clock: app.clock.now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const runAt = async (time: Date, isAfterBackup = false) => {
    app.clock.set(time);
    await service.testRestoreIfDue(isAfterBackup, never);
    return tested.splice(0);
  };
  const state = async () =>
    (await teacher.get('/api/admin/backups')).body as Record<
      'restoreProvenAt' | 'restoreFailedAt',
      string | null
    >;
  expect(await runAt(new Date(2026, 10, 1, 3))).toEqual([]);

  for (const day of ['10-31', '11-01']) await writeFile(join(folder, `yangchen-2026-${day}.tar`), 'a backup');
  for (const hour of [1, 6, 13]) expect(await runAt(new Date(2026, 10, 1, hour))).toEqual([]);
  expect(await runAt(new Date(2026, 10, 1, 13), true)).toEqual(['yangchen-2026-11-01.tar']);
  const first = (await state()).restoreProvenAt;
  expect(first).toBe(new Date(2026, 10, 1, 13).toISOString());
  expect(await runAt(new Date(2026, 11, 1, 1, 59))).toEqual([]);

  const failure = async (day: number, next: RestoreTestResult | Error, ...expected: string[]) => {
    result = next;
    expect(await runAt(new Date(2026, 11, day, 2))).toHaveLength(1);
    expect((await notices()).filter((kind) => kind.startsWith('restore'))).toEqual(expected);
    expect((await state()).restoreProvenAt).toBe(first);
  };
  await failure(1, 'no-room', 'restore-untested');
  await failure(2, new Error('damaged'), 'restore-failed');
  await failure(3, 'no-database', 'restore-failed', 'restore-untested');
  expect(await runAt(new Date(2026, 11, 3, 5))).toEqual([]);
  await service.check();
  // A restore test that is skipped because another one is running changes no notices.
  await failure(4, 'busy', 'restore-failed', 'restore-untested');
  result = 'proven';
  expect(await runAt(new Date(2026, 11, 5, 2))).toHaveLength(1);
  expect(await state()).toMatchObject({ restoreFailedAt: null });
  expect((await notices()).filter((kind) => kind.startsWith('restore'))).toEqual([]);
  expect(await runAt(new Date(2026, 11, 6, 2))).toEqual([]);
});

test('a restore test that crashes the server is repeated only the next night', async () => {
  await app.db.insert(installation).values({}).onConflictDoNothing();
  await app.db.update(installation).set({ backups: null });
  await writeFile(join(folder, 'yangchen-2026-11-01.tar'), 'a backup');
  let tests = 0;
  const create = () =>
    createNightlyBackups({
      source: { connection: app.database.connection, store: app.store, outbox: '' },
      folder,
      canRunElsewhere: false,
      keep: 2,
      checks: app.services.fileChecks,
      testRestore: () => {
        tests += 1;
        return new Promise(() => undefined);
      },
      ...{ db: app.db, notices: app.services.notices, clock: app.clock.now },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  app.clock.set(new Date(2026, 10, 1, 3));
  void create().testRestoreIfDue(false, never);
  await expect.poll(() => tests).toBe(1);
  expect((await teacher.get('/api/admin/backups')).body).toMatchObject({ restoreFailedAt: null });
  await create().testRestoreIfDue(false, never);
  expect(tests).toBe(1);
  app.clock.set(new Date(2026, 10, 2, 3));
  void create().testRestoreIfDue(false, never);
  await expect.poll(() => tests).toBe(2);
});

test('a restore test aborted at shutdown is not reported as failed', async () => {
  await writeFile(join(folder, 'yangchen-2026-11-01.tar'), 'a backup');
  atHour(3);
  await app.db.update(installation).set({ backups: null });
  await backups.testRestoreIfDue(false, AbortSignal.abort());
  expect(await notices()).not.toContain('restore-failed');
  expect((await teacher.get('/api/admin/backups')).body).toMatchObject(UNTESTED);
});

test('a notice about missing backups ends if dismissed or if another process backs up', async () => {
  const elsewhere = await startTestApp({
    alone: true,
    environment: { ...DISK_MEDIA_ENVIRONMENT, BACKUP_DIR: '' },
  });
  const admin = await elsewhere.as(await elsewhere.make.teacher());
  const kinds = async () =>
    ((await admin.get('/api/admin/notices')).body as { kind: string }[]).map(({ kind }) => kind);
  const check = () => elsewhere.services.backups.check();
  await check();
  expect(await kinds()).toEqual(['no-backup']);
  expect((await admin.delete('/api/admin/notices/disk-low')).status).toBe(404);
  expect((await admin.delete('/api/admin/notices/no-backup')).status).toBe(200);
  await check();
  expect(await kinds()).toEqual([]);
  await elsewhere.db.execute(sql`update notices set dismissed_at = dismissed_at - interval '4 months'`);
  expect(await kinds()).toEqual(['no-backup']);

  const another = createNightlyBackups({
    source: { connection: elsewhere.database.connection, store: elsewhere.store, outbox: '' },
    folder: null,
    canRunElsewhere: true,
    keep: 2,
    checks: elsewhere.services.fileChecks,
    testRestore: () => Promise.resolve('proven'),
    ...{ db: elsewhere.db, notices: elsewhere.services.notices, clock: elsewhere.clock.now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const latest = { takenAt: elsewhere.clock.now().toISOString(), bytes: 7 };
  const found = { since: latest.takenAt, latest, keptForDamage: [] };
  await elsewhere.db.insert(installation).values({ backups: found });
  await another.check();
  expect(await kinds()).toEqual([]);
  expect(await another.getState()).toMatchObject({ isNightly: true, latest: { bytes: 7 } });
});

test.each([
  ['is missing', () => Promise.resolve(join(folder, 'nowhere')), /^BACKUP_DIR: \S+ does not exist\. .*$/],
  [
    'is a file',
    async () => {
      await writeFile(join(folder, 'a-file'), '');
      return join(folder, 'a-file');
    },
    /^BACKUP_DIR: \S+ can’t be written to \(ENOTDIR\)\. .*$/,
  ],
])('rejects a BACKUP_DIR that %s with a one-line message', async (_, at, sentence) => {
  await expect(assertBackupFolderWritable(await at())).rejects.toThrow(sentence);
  await assertBackupFolderWritable(folder);
  expect((await files()).filter((name) => name.startsWith('.'))).toEqual([]);
});
