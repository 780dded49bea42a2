import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  isMediaEntry,
  readBackupEntries,
  readBackupManifest,
  writeBackupArchive,
} from '#features/operations/backups/server/archive.ts';
import { readSettings } from '#server/config/settings.ts';
import { openLog } from '#server/log.ts';
import { startCommunity } from '#testing/community.ts';

import { runScript } from '#testing/run-script.ts';
import { createTone } from '#testing/tone.ts';
import { getRestoreTestFolder } from './restore-test-folder.ts';
import { testRestore } from './test-restore.ts';

const community = await startCommunity();
const { dataDir } = community;
afterAll(() => community.end());
const settings = readSettings({ DATA_DIR: dataDir });
const log = openLog('error');
const backup = join(dataDir, 'mine.tar');

beforeAll(async () => {
  await community.addMelody({ audioFile: { bytes: createTone(2), name: 'song.wav' } });
  expect(await runScript('backup', [backup], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
});

/** Writes a copy of the backup whose manifest is correct, but in which every media file consists of zeros. */
async function writeBackupWithChangedMedia(): Promise<string> {
  const path = join(dataDir, 'changed.tar');
  const { entries, ...info } = (await readBackupManifest(backup))!;
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

const leftovers = async () => (await readdir(dataDir)).filter((name) => name === 'restore-test');

test('restores a backup beside the program, even if a killed test left its copy', async () => {
  const folder = join(getRestoreTestFolder(dataDir), 'postgres');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'PG_VERSION'), '9');
  expect(await runScript('backup', ['--verify', backup], { DATA_DIR: dataDir })).toEqual({
    code: 0,
    said: expect.stringMatching(/^The backup of \S+ can be restored: the whole database and 1 file\.\n$/),
  });
  expect(await leftovers()).toEqual([]);
});

test('rejects a backup with a file that differs from its row', async () => {
  const path = await writeBackupWithChangedMedia();
  await expect(testRestore(path, settings, log)).rejects.toThrow(/1 of its files differ.*\(changed\)$/);
  expect(await leftovers()).toEqual([]);
});

test('does not start if the disk would have less free space than the reserve', async () => {
  const full = { ...settings, minFreeDisk: Number.MAX_SAFE_INTEGER };
  await expect(testRestore(backup, full, log)).rejects.toMatchObject({
    hasNoRoom: true,
    message: expect.stringContaining('There is not enough space'),
  });
});

test('stops when it is aborted, and deletes the scratch copy', async () => {
  const ending = new AbortController();
  const running = testRestore(backup, settings, log, ending.signal);
  const seen = await Promise.race([running, waitForFolder()]);
  ending.abort(new Error('shutting down'));
  expect(seen).toBe('scratch copy exists');
  await expect(running).rejects.toThrow('shutting down');
  expect(await leftovers()).toEqual([]);
});

async function waitForFolder() {
  while ((await leftovers()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return 'scratch copy exists';
}
