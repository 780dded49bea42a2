import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  isMediaEntry,
  readBackupEntries,
  verifyBackupArchive,
  writeBackupArchive,
} from '#features/operations/backups/server/archive.ts';
import { getSharedMediaPath } from '#features/operations/backups/server/backup-folder.ts';
import { createBackupKeys } from '#features/operations/backups/server/encryption.ts';
import { takeNightlyBackup } from '#features/operations/backups/server/nightly-backup.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { openDiskStore } from '#server/media/disk-store.ts';
import { readSettings } from '#server/config/settings.ts';
import { openLog } from '#server/log.ts';
import { startCommunity } from '#testing/community.ts';

import { runScript } from '#testing/run-script.ts';
import { createTone } from '#testing/tone.ts';
import { getScratchFolder, withScratchFolder } from './restore-test-folder.ts';
import { getRestoreTestResult, testRestore } from './test-restore.ts';

const community = await startCommunity();
const { dataDir } = community;
afterAll(() => community.end());
// Neither this database nor this bucket exists, so a restore test that used either would fail.
const settings = readSettings({
  DATA_DIR: dataDir,
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: 'none',
  S3_ACCESS_KEY_ID: 'nobody',
  S3_SECRET_ACCESS_KEY: 'nothing',
});
const log = openLog('error');
const backup = join(dataDir, 'mine.tar');

beforeAll(async () => {
  await community.addMelody({ audioFile: { bytes: createTone(2), name: 'song.wav' } });
  expect(await runScript('backup', [backup], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
});

/** Writes a copy of the backup whose manifest is correct, but in which every media file consists of zeros. */
async function writeBackupWithChangedMedia(): Promise<string> {
  const path = join(dataDir, 'changed.tar');
  const { entries, ...info } = await verifyBackupArchive(backup);
  // The writer adds the first entry and the manifest itself.
  const inside = new Set(entries.slice(1).map(({ name }) => name));
  await writeBackupArchive(path, async ({ add }) => {
    for await (const entry of readBackupEntries(backup)) {
      const content = await buffer(entry.content);
      if (!inside.has(entry.name)) continue;
      await add(entry.name, content.length, isMediaEntry(entry) ? Buffer.alloc(content.length) : content);
    }
    return info;
  });
  return path;
}

const hasLeftovers = () => existsSync(getScratchFolder(dataDir));

test('restores a backup beside the program, even if a killed test left its copy', async () => {
  const folder = join(getScratchFolder(dataDir), 'postgres');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'PG_VERSION'), '9');
  expect(await runScript('backup', ['--verify', backup], { DATA_DIR: dataDir })).toEqual({
    code: 0,
    said: expect.stringMatching(/^The backup of \S+ can be restored: the whole database and 1 file\.\n$/),
  });
  expect(hasLeftovers()).toBe(false);
});

test('an encrypted nightly backup can be restored until one of its media is missing', async () => {
  const connection = (await findRunningConnectionSettings(dataDir))!;
  const source = { connection, store: openDiskStore(join(dataDir, 'media'), () => Promise.resolve()) };
  const folder = join(dataDir, 'nightly');
  await mkdir(folder);
  const encrypted = { ...settings, backupPassphrase: 'correct horse battery' };
  const { name } = await takeNightlyBackup(
    { ...source, outbox: join(dataDir, 'outbox') },
    folder,
    'yangchen-2026-11-22.tar',
    {
      keys: createBackupKeys(encrypted.backupPassphrase),
      signal: new AbortController().signal,
      assertSpace: () => Promise.resolve(),
    },
  );
  const path = join(folder, name);
  const { sharedMedia } = await testRestore(path, encrypted, log);
  const lost = sharedMedia!.files[0]!.name;
  await rm(getSharedMediaPath(path, `${lost}.age`));
  await expect(testRestore(path, encrypted, log)).rejects.toThrow(
    new RegExp(`In \\S+/nightly/media, this file is missing or damaged .*: ${lost}$`),
  );
});

test('rejects a backup with a file that differs from its row', async () => {
  const path = await writeBackupWithChangedMedia();
  await expect(testRestore(path, settings, log)).rejects.toThrow(/1 of its files differ.*\(changed\)$/);
  expect(hasLeftovers()).toBe(false);
});

test('does not start if no disk has enough free space beyond the reserve', async () => {
  const full = { ...settings, minFreeDisk: Number.MAX_SAFE_INTEGER };
  await expect(testRestore(backup, full, log)).rejects.toThrow('There is not enough space');
  const withBackups = { ...full, backupDir: '/dev/shm' };
  expect(await getRestoreTestResult(backup, withBackups, openLog('silent'))).toBe('no-room');
});

test('reports that another test is running, or that the embedded database can’t run here', async () => {
  const quiet = openLog('silent');
  const other = await withScratchFolder(dataDir, quiet, () => getRestoreTestResult(backup, settings, quiet));
  expect(other).toBe('busy');
  const pgBinDir = join(dataDir, 'nowhere');
  expect(await getRestoreTestResult(backup, { ...settings, pgBinDir }, quiet)).toBe('no-database');
  expect(hasLeftovers()).toBe(false);
});

test('stops when it is aborted, and deletes the scratch copy', async () => {
  const ending = new AbortController();
  const running = testRestore(backup, settings, log, ending.signal);
  const seen = await Promise.race([running, waitForFolder()]);
  ending.abort(new Error('shutting down'));
  expect(seen).toBe('scratch copy exists');
  await expect(running).rejects.toThrow('shutting down');
  expect(hasLeftovers()).toBe(false);
});

async function waitForFolder() {
  while (!hasLeftovers()) await new Promise((resolve) => setTimeout(resolve, 5));
  return 'scratch copy exists';
}
