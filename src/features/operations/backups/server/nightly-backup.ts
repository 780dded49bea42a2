import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFolderDurably, fsyncFolder } from '#server/data-folder/fsync-folder.ts';
import type { Log } from '#server/log.ts';
import { type MediaFile, readBackupMedia, verifyBackupArchive, writeBackupArchive } from './archive.ts';
import { getSharedMediaFolder, listNightlyBackups, openSharedMedia } from './backup-folder.ts';
import { addRows, type BackupSource, listFiles, padWithZeros, withSnapshot } from './take-backup.ts';

/** Files that a crash may leave. Version 0.2.0 left `.unchecked`. */
const UNFINISHED = /^(yangchen-\d{4}-\d\d-\d\d|copying)\.(.+\.)?(part|unchecked)$/;

export type NightlyBackupResult = {
  files: number;
  /** Files that no earlier backup had. */
  copied: number;
  /** Size of the archive and all media that it lists, in bytes. */
  bytes: number;
  /** Files of which neither the store nor the shared folder has an intact copy. */
  damaged: string[];
};

type Options = {
  signal: AbortSignal;
  /** Throws if there is no room for files of this total size. */
  assertSpace(bytes: number): Promise<void>;
};

/**
 * Copies new media files to the shared folder, then writes the archive, and reads it back before it gets its
 * final name. Waits until any other backup has ended.
 * @throws an Error if it fails; then no archive remains, but the copies do, for the next backup
 */
export async function takeNightlyBackup(
  { connection, store, outbox }: BackupSource,
  folder: string,
  name: string,
  { signal, assertSpace }: Options,
): Promise<NightlyBackupResult> {
  const path = join(folder, name);
  const unverified = `${path}.part`;
  return withSnapshot(connection, async (client) => {
    for (const left of await readdir(folder)) if (UNFINISHED.test(left)) await rm(join(folder, left));
    const files = await listFiles(client);
    const { copied, damaged } = await copyNewMedia(files, store, folder, { signal, assertSpace });
    const media = files.filter((file) => !damaged.includes(file.name));
    try {
      const write = async (archive: Parameters<typeof addRows>[0]) => ({
        ...(await addRows(archive, client, outbox)),
        damaged,
      });
      await writeBackupArchive(unverified, write, media);
      await verifyBackupArchive(unverified, signal);
      await rename(unverified, path);
      await fsyncFolder(folder);
    } catch (error) {
      await rm(unverified, { force: true });
      throw error;
    }
    const bytes = (await stat(path)).size + sumSizes(media);
    return { files: media.length, copied, bytes, damaged };
  });
}

/**
 * Copies the files that the shared folder lacks.
 * @returns the number of copied files, and the names of those that the store doesn't have intact
 */
async function copyNewMedia(
  files: readonly MediaFile[],
  store: BackupSource['store'],
  folder: string,
  { signal, assertSpace }: Options,
): Promise<{ copied: number; damaged: string[] }> {
  const shared = openSharedMedia(folder);
  const sizes = new Map<string, number>();
  for await (const { name, size } of shared.list()) sizes.set(name, size);
  const missing = files.filter(({ name, size }) => sizes.get(name) !== size);
  await assertSpace(sumSizes(missing));
  await createFolderDurably(getSharedMediaFolder(folder));
  const unfinished = join(folder, 'copying.part');
  const damaged: string[] = [];
  try {
    for (const file of missing) {
      signal.throwIfAborted();
      if (await copyIntact(file, store, unfinished)) await shared.publish(unfinished, file.name);
      else damaged.push(file.name);
    }
  } finally {
    await rm(unfinished, { force: true });
  }
  return { copied: missing.length - damaged.length, damaged };
}

/** @returns whether the store has the file, and the copied bytes are those that were received */
async function copyIntact({ name, sha256 }: MediaFile, store: BackupSource['store'], path: string) {
  const opened = await store.open(name, { start: 0 });
  if (!opened) return false;
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const chunk of padWithZeros(opened.stream, opened.size)) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(hashed, createWriteStream(path, { mode: 0o600 }));
  return hash.digest('hex') === sha256;
}

const sumSizes = (files: readonly MediaFile[]) => files.reduce((sum, { size }) => sum + size, 0);

/**
 * Deletes all but the newest `keep` backups, and then the shared files that none of the remaining backups
 * lists. For each file that the newest backup lacks, also keeps the newest backup that has it.
 * @param damaged the files that the newest backup lacks
 */
export async function pruneNightlyBackups(
  folder: string,
  { keep, damaged, log }: { keep: number; damaged: readonly string[]; log: Pick<Log, 'warn'> },
): Promise<void> {
  const lacking = new Set(damaged);
  const listed = new Set<string>();
  const unreadable: string[] = [];
  for (const [index, name] of (await listNightlyBackups(folder)).reverse().entries()) {
    const path = join(folder, name);
    if (index >= keep && lacking.size === 0) {
      await rm(path);
      continue;
    }
    const media = await readBackupMedia(path).catch(() => null);
    if (!media) unreadable.push(name);
    const found = media?.names.filter((file) => lacking.delete(file));
    if (index >= keep && found?.length === 0) {
      await rm(path);
      continue;
    }
    if (index >= keep)
      log.warn({ name }, 'an old backup is kept, because it may have files that the newest backup lacks');
    if (media?.areShared) for (const file of media.names) listed.add(file);
  }
  if (unreadable.length > 0) {
    log.warn({ unreadable }, 'files of deleted backups are kept, because not all backups can be read');
    return;
  }
  const shared = openSharedMedia(folder);
  for await (const { name } of shared.list()) if (!listed.has(name)) await shared.remove(name);
}
