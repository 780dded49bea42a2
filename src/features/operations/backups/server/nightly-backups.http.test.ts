import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Decrypter, Encrypter, generateX25519Identity } from 'age-encryption';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { installation, mediaFiles } from '#server/db/schema.ts';
import { openLog } from '#server/log.ts';
import { getMediaFilePath } from '#server/media/layout.ts';
import type { MediaStore } from '#server/media/store.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { verifyBackupArchive } from './archive.ts';
import { createBackupKeys } from './encryption.ts';
import { takeNightlyBackup } from './nightly-backup.ts';
import { checkBackup } from './restore-backup.ts';
import { type BackupSource, takeBackup } from './take-backup.ts';
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
const files = async () => (await readdir(folder)).filter((name) => name !== 'media');
const sharedFiles = async () =>
  (await readdir(join(folder, 'media'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
const night = async (day: number) => {
  atHour(2, day);
  await backups.takeIfDue(never);
};
const source = { connection: app.database.connection, store: app.store, outbox: join(app.dataDir, 'outbox') };
const createBackups = (overrides: Partial<Parameters<typeof createNightlyBackups>[0]>) =>
  createNightlyBackups({
    ...{ source, folder, canRunElsewhere: false, keep: 2, passphrase: null, checks: app.services.fileChecks },
    testRestore: () => Promise.resolve('proven'),
    ...{ db: app.db, notices: app.services.notices, clock: app.clock.now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...overrides,
  });
const notices = async () =>
  ((await teacher.get('/api/admin/notices')).body as { kind: string }[]).map(({ kind }) => kind);

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await app.db.execute(sql`delete from notices`);
  await app.db.insert(installation).values({}).onConflictDoNothing();
  await app.db.update(installation).set({ backups: null });
});

test('takes a verified backup each night and deletes only the oldest backups', async () => {
  await writeFile(join(folder, 'a-file-of-mine.tar'), 'mine');
  const left = ['copying.part', 'yangchen-2026-11-19.tar.part', 'yangchen-2026-11-19.unchecked.part'];
  for (const name of left) await writeFile(join(folder, name), 'left by a crash');
  atHour(1);
  await backups.takeIfDue(never);
  expect((await files()).sort()).toEqual(['a-file-of-mine.tar', ...left]);
  expect((await teacher.get('/api/admin/backups')).body).toEqual({
    ...{ isNightly: true, latest: null, ...UNTESTED },
  });
  for (const day of [20, 21, 22]) await night(day);
  atHour(23);
  await backups.takeIfDue(never);
  expect(await files()).toEqual(['a-file-of-mine.tar', 'yangchen-2026-11-21.tar', 'yangchen-2026-11-22.tar']);
  const newest = await verifyBackupArchive(join(folder, 'yangchen-2026-11-22.tar'));
  expect(newest.sharedMedia!.files).toMatchObject([{ name: sent.body.audioUrl, size: createTone(1).length }]);
  expect((await teacher.get('/api/admin/backups')).body).toEqual({
    isNightly: true,
    latest: { takenAt: expect.any(String), bytes: expect.any(Number) },
    ...UNTESTED,
  });
});

test('the size of a backup includes the media that it shares', async () => {
  await night(22);
  const { size } = await stat(join(folder, 'yangchen-2026-11-22.tar'));
  expect((await teacher.get('/api/admin/backups')).body).toMatchObject({
    latest: { bytes: size + createTone(1).length },
  });
});

/** Stores a file without an owner. @returns its name */
async function storeFile(size: number): Promise<string> {
  const bytes = randomBytes(size);
  const name = `${randomBytes(16).toString('hex')}.wav`;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await app.media.write(getMediaFilePath(name), bytes);
  await app.db
    .insert(mediaFiles)
    .values({ name, slot: 'recording-audio', contentType: 'audio/wav', size, sha256 });
  return name;
}

const take = (day: number, from: BackupSource = source, keys = createBackupKeys(null)) =>
  takeNightlyBackup(from, folder, `yangchen-2026-11-0${day}.tar`, {
    keys,
    signal: never,
    assertSpace: () => Promise.resolve(),
  });

test('copies only the files that the earlier backups lack', async () => {
  expect(await take(1)).toMatchObject({ files: 1, copied: 1 });
  expect(await take(2)).toMatchObject({ files: 1, copied: 0 });
  const added = await storeFile(1000);
  expect(await take(3)).toMatchObject({ files: 2, copied: 1 });
  expect(await sharedFiles()).toEqual([sent.body.audioUrl, added].sort());
  await app.db.delete(mediaFiles).where(eq(mediaFiles.name, added));
});

test('a copy of the wrong size is replaced', async () => {
  await take(1);
  const copy = join(folder, 'media', getMediaFilePath(sent.body.audioUrl));
  await truncate(copy, 10);
  expect(await take(2)).toMatchObject({ copied: 1 });
  expect(await readFile(copy)).toEqual(createTone(1));
});

test('a week of backups takes at most 1.2 times the size of the media', async () => {
  const kilobyte = 1000;
  const names: string[] = [];
  for (let file = 0; file < 100; file += 1) names.push(await storeFile(100 * kilobyte));
  for (let day = 1; day <= 7; day += 1) {
    await take(day);
    names.push(await storeFile(50 * kilobyte));
  }
  const entries = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(entries.map(async (name) => (await stat(join(folder, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12_000 * kilobyte);
  await app.db.delete(mediaFiles).where(inArray(mediaFiles.name, names));
  for (const name of names) await app.store.remove(name);
});

test('a backup that fails after copying leaves only copies, which the next one uses', async () => {
  const outbox = join(folder, 'not-a-folder');
  await writeFile(outbox, '');
  await expect(take(1, { ...source, outbox })).rejects.toThrow('ENOTDIR');
  expect(await files()).toEqual(['not-a-folder']);
  expect(await sharedFiles()).toEqual([sent.body.audioUrl]);
  expect(await take(2)).toMatchObject({ copied: 0 });
});

test('deletes shared files that no remaining backup lists', async () => {
  const name = await storeFile(1000);
  await night(1);
  await app.db.delete(mediaFiles).where(eq(mediaFiles.name, name));
  await night(2);
  expect(await sharedFiles()).toContain(name);
  await night(3);
  expect(await sharedFiles()).toEqual([sent.body.audioUrl]);
});

test('deletes no shared file while a backup can’t be read', async () => {
  const name = await storeFile(1000);
  await night(1);
  await app.db.delete(mediaFiles).where(eq(mediaFiles.name, name));
  await writeFile(join(folder, 'yangchen-2026-11-02.tar'), 'unreadable');
  await night(3);
  expect(await files()).toEqual(['yangchen-2026-11-02.tar', 'yangchen-2026-11-03.tar']);
  expect(await sharedFiles()).toContain(name);
});

test('deletes no shared file while a restore test runs', async () => {
  const name = await storeFile(1000);
  await night(1);
  await app.db.delete(mediaFiles).where(eq(mediaFiles.name, name));
  await night(2);
  const restoring = Promise.withResolvers<RestoreTestResult>();
  const testing = createBackups({ testRestore: () => restoring.promise });
  const tested = testing.testRestoreIfDue(true, never);
  await expect
    .poll(async () => (await app.db.select().from(installation))[0]?.backups?.restoreTest)
    .toBeDefined();
  atHour(2, 3);
  await testing.takeIfDue(never);
  expect(await sharedFiles()).toContain(name);
  restoring.resolve('proven');
  await tested;
  await night(4);
  expect(await sharedFiles()).toEqual([sent.body.audioUrl]);
});

test('a failed backup keeps older backups and raises a notice until the next success', async () => {
  await writeFile(join(folder, 'yangchen-2026-11-21.tar'), 'former');
  await rm(join(folder, 'yangchen-2026-11-22.tar'), { force: true });
  atHour(3);
  const failing = createBackups({
    source: { ...source, store: { open: () => Promise.reject(new Error('The disk does not answer')) } },
  });
  await failing.takeIfDue(never);
  expect(await files()).toEqual(['yangchen-2026-11-21.tar']);
  expect(await notices()).toEqual(['backup-failed']);
  await backups.takeIfDue(never);
  expect(await files()).toEqual(['yangchen-2026-11-21.tar', 'yangchen-2026-11-22.tar']);
  expect(await notices()).toEqual([]);
});

test('does not start a backup if the disk would become full or the folder is missing', async () => {
  const tight = createBackups({ measure: () => Promise.resolve({ free: 80 * 1024 * 1024, total: 1e9 }) });
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
  atHour(3);
  await backups.takeIfDue(AbortSignal.abort());
  expect(await files()).toEqual([]);
  expect(await notices()).toEqual([]);
});

async function damageRecording() {
  const path = getMediaFilePath(sent.body.audioUrl);
  const bytes = await app.media.read(path);
  await app.media.write(path, Buffer.from(bytes.map((byte, at) => (at === 99 ? byte ^ 1 : byte))));
  return async () => {
    await app.media.write(path, bytes);
    await app.services.fileRounds({ before: new Date(0), read: 'none' });
  };
}

test('backups keep the intact copy of a file that is damaged in the store', async () => {
  await night(1);
  const repair = await damageRecording();
  for (const day of [2, 3, 4]) await night(day);
  expect(await files()).toEqual(['yangchen-2026-11-03.tar', 'yangchen-2026-11-04.tar']);
  const newest = await checkBackup(join(folder, 'yangchen-2026-11-04.tar'));
  expect(newest).toMatchObject({ damaged: [], lost: [], files: 1 });
  await repair();
});

test('keeps an old complete backup that alone has an intact copy of a damaged file', async () => {
  await takeBackup(source, join(folder, 'yangchen-2026-11-01.tar'), () => undefined);
  const repair = await damageRecording();
  for (const day of [2, 3, 4, 5]) await night(day);
  expect(await notices()).toContain('files-damaged');
  expect((await student.get(`/api/files/${sent.body.audioUrl}?type=audio`)).status).toBe(503);
  expect(await files()).toEqual(['01', '04', '05'].map((day) => `yangchen-2026-11-${day}.tar`));
  await repair();
  await night(6);
  expect(await files()).toEqual(['05', '06'].map((day) => `yangchen-2026-11-${day}.tar`));
  expect(await notices()).toEqual([]);
});

test('a backup records an unreadable file as damaged and contains all other files', async () => {
  const open: MediaStore['open'] = async (...of) => {
    const opened = await app.store.open(...of);
    if (!opened || of[0] !== sent.body.audioUrl) return opened;
    const failing = async function* () {
      for await (const chunk of opened.stream) {
        yield (chunk as Buffer).subarray(0, 10);
        throw Object.assign(new Error('i/o error'), { code: 'EIO' });
      }
    };
    return { ...opened, stream: Readable.from(failing()) };
  };
  const path = join(folder, 'mine.tar');
  const unreadable = { ...source, store: { open } };
  const { damaged } = await takeBackup(unreadable, path, () => undefined);
  expect(damaged).toEqual([sent.body.audioUrl]);
  expect(await take(1, unreadable)).toMatchObject({ files: 0, damaged });
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
  const tested: string[] = [];
  let result: RestoreTestResult | Error = 'proven';
  const service = createBackups({
    testRestore: (path) => {
      tested.push(path.slice(folder.length + 1));
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
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
  await writeFile(join(folder, 'yangchen-2026-11-01.tar'), 'a backup');
  let tests = 0;
  const create = () =>
    createBackups({
      testRestore: () => {
        tests += 1;
        return new Promise(() => undefined);
      },
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

  const another = createBackups({
    ...{
      source: { ...source, connection: elsewhere.database.connection },
      folder: null,
      canRunElsewhere: true,
    },
    ...{ db: elsewhere.db, notices: elsewhere.services.notices, clock: elsewhere.clock.now },
  });
  const latest = { takenAt: elsewhere.clock.now().toISOString(), bytes: 7 };
  const found = { since: latest.takenAt, latest };
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

/** Creates a key file with a low work factor, because age's default takes a second. */
async function createWeakKeyFile(passphrase: string) {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(10);
  const key = await generateX25519Identity();
  await writeFile(join(folder, 'key.age'), await encrypter.encrypt(`${key}\n`));
}

const PASSPHRASE = 'correct horse battery';

test('with a passphrase, archives and media are encrypted', async () => {
  await createWeakKeyFile(PASSPHRASE);
  const keys = createBackupKeys(PASSPHRASE);
  expect(await take(1, source, keys)).toMatchObject({ copied: 1 });
  expect(await take(2, source, keys)).toMatchObject({ copied: 0 });
  expect(await files()).toEqual(['key.age', 'yangchen-2026-11-01.tar.age', 'yangchen-2026-11-02.tar.age']);
  expect(await sharedFiles()).toEqual([`${sent.body.audioUrl}.age`]);
  for (const name of [
    'yangchen-2026-11-01.tar.age',
    `media/${getMediaFilePath(`${sent.body.audioUrl}.age`)}`,
  ])
    expect((await readFile(join(folder, name))).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/);
  const path = join(folder, 'yangchen-2026-11-02.tar.age');
  expect(await checkBackup(path, { keys })).toMatchObject({ files: 1, damaged: [], lost: [] });
});

test('an encrypted copy that was changed is found', async () => {
  await createWeakKeyFile(PASSPHRASE);
  const keys = createBackupKeys(PASSPHRASE);
  await take(1, source, keys);
  const copy = join(folder, 'media', getMediaFilePath(`${sent.body.audioUrl}.age`));
  const bytes = await readFile(copy);
  bytes[bytes.length - 99]! ^= 1;
  await writeFile(copy, bytes);
  const path = join(folder, 'yangchen-2026-11-01.tar.age');
  expect((await checkBackup(path, { keys })).lost).toEqual([sent.body.audioUrl]);
});

test.each([
  [
    'a wrong passphrase',
    'wrong horse battery',
    /^BACKUP_PASSPHRASE is not the passphrase that \S+key\.age was/,
  ],
  ['no passphrase', null, /^\S+key\.age is encrypted\. Set BACKUP_PASSPHRASE/],
])('an encrypted backup can’t be read with %s', async (_, passphrase, message) => {
  await createWeakKeyFile(PASSPHRASE);
  const { name } = await take(1, source, createBackupKeys(PASSPHRASE));
  const keys = createBackupKeys(passphrase);
  await expect(checkBackup(join(folder, name), { keys })).rejects.toThrow(message);
});

test('if the passphrase was changed, the backup fails and nothing is deleted', async () => {
  await createWeakKeyFile(PASSPHRASE);
  await take(1, source, createBackupKeys(PASSPHRASE));
  const errors: unknown[] = [];
  const changed = createBackups({
    passphrase: 'another horse battery',
    log: { info: () => undefined, warn: () => undefined, error: (line: unknown) => void errors.push(line) },
  });
  atHour(2, 2);
  await changed.takeIfDue(never);
  expect(await notices()).toContain('backup-failed');
  expect(errors).toMatchObject([
    {
      error: { message: expect.stringMatching(/^BACKUP_PASSPHRASE is not the passphrase that \S+key\.age/) },
    },
  ]);
  expect(await files()).toEqual(['key.age', 'yangchen-2026-11-01.tar.age']);
});

test('creates no second key if the key of encrypted backups is missing', async () => {
  await createWeakKeyFile(PASSPHRASE);
  const { name } = await take(1, source, createBackupKeys(PASSPHRASE));
  await rm(join(folder, 'key.age'));
  const message = /^\S+key\.age, the key of the encrypted backups in this folder, is missing\./;
  await expect(take(2, source, createBackupKeys(PASSPHRASE))).rejects.toThrow(message);
  const keys = createBackupKeys(PASSPHRASE);
  await expect(checkBackup(join(folder, name), { keys })).rejects.toThrow(message);
});

test('plain files are deleted with the last plain backup', async () => {
  await night(1);
  await createWeakKeyFile(PASSPHRASE);
  const encrypted = createBackups({ passphrase: PASSPHRASE });
  for (const day of [2, 3]) {
    expect(await sharedFiles()).toContain(sent.body.audioUrl);
    atHour(2, day);
    await encrypted.takeIfDue(never);
  }
  expect(await files()).toEqual(['key.age', 'yangchen-2026-11-02.tar.age', 'yangchen-2026-11-03.tar.age']);
  expect(await sharedFiles()).toEqual([`${sent.body.audioUrl}.age`]);
});

test('encrypted files are deleted with the last encrypted backup', async () => {
  await createWeakKeyFile(PASSPHRASE);
  await take(1, source, createBackupKeys(PASSPHRASE));
  await night(2);
  expect(await sharedFiles()).toEqual([sent.body.audioUrl, `${sent.body.audioUrl}.age`]);
  await night(3);
  expect(await sharedFiles()).toEqual([sent.body.audioUrl]);
});

test('the first encrypted backup creates the key, and the passphrase is not logged', async () => {
  const lines: string[] = [];
  const log = openLog('trace', { write: (line) => void lines.push(line) });
  const encrypted = createBackups({ passphrase: PASSPHRASE, log });
  atHour(2, 1);
  await encrypted.takeIfDue(never);
  expect(await files()).toEqual(['key.age', 'yangchen-2026-11-01.tar.age']);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(PASSPHRASE);
  const key = await decrypter.decrypt(await readFile(join(folder, 'key.age')), 'text');
  expect(key).toMatch(/^AGE-SECRET-KEY-1\w+\n$/);
  expect(lines.join()).toContain('took a backup');
  for (const secret of [PASSPHRASE, key.trim()]) expect(lines.join()).not.toContain(secret);
});
