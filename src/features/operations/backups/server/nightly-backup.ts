import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFolderDurably, fsyncFolder } from '#server/data-folder/fsync-folder.ts';
import type { Log } from '#server/log.ts';
import {
  type BackupArchiveWriter,
  type MediaFile,
  readBackupMedia,
  verifyBackupArchive,
  writeBackupArchive,
} from './archive.ts';
import { getSharedMediaFolder, listNightlyBackups, openSharedMedia } from './backup-folder.ts';
import { type BackupKeys, ENCRYPTED_SUFFIX, type Encryption } from './encryption.ts';
import { addRows, type BackupSource, listFiles, padWithZeros, withSnapshot } from './take-backup.ts';

/** Files that a crash may leave. Version 0.2.0 left `.unchecked`. */
const UNFINISHED = /^(yangchen-\d{4}-\d\d-\d\d|copying|key)\.(.+\.)?(part|unchecked)$/;

export type NightlyBackupResult = {
  /** Name of the archive. */
  name: string;
  files: number;
  /** Files that no earlier backup had. */
  copied: number;
  /** Size of the archive and all media that it lists, in bytes. */
  bytes: number;
  /** Files of which neither the store nor the shared folder has an intact copy. */
  damaged: string[];
};

type Options = {
  keys: BackupKeys;
  signal: AbortSignal;
  /** Throws if there is no room for files of this total size. */
  assertSpace(bytes: number): Promise<void>;
};

/**
 * Copies new media files to the shared folder, then writes the archive, and reads it back before it gets its
 * final name. With a passphrase, both are encrypted. Waits until any other backup has ended.
 * @param plainName name of the archive if it is not encrypted
 * @throws an Error if it fails; then no archive remains, but the copies do, for the next backup
 */
export async function takeNightlyBackup(
  { connection, store, outbox }: BackupSource,
  folder: string,
  plainName: string,
  { keys, signal, assertSpace }: Options,
): Promise<NightlyBackupResult> {
  return withSnapshot(connection, async (client) => {
    for (const left of await readdir(folder)) if (UNFINISHED.test(left)) await rm(join(folder, left));
    const sizes = new Map<string, number>();
    for await (const copy of openSharedMedia(folder).list()) sizes.set(copy.name, copy.size);
    const present = [...sizes.keys(), ...(await listNightlyBackups(folder))];
    const encryption = await keys.openFolder(
      folder,
      present.some((each) => each.endsWith(ENCRYPTED_SUFFIX)),
    );
    const suffix = encryption ? ENCRYPTED_SUFFIX : '';
    const getCopiedSize = encryption?.getEncryptedSize ?? ((size: number) => size);
    const all = await listFiles(client);
    const missing = all.filter((file) => sizes.get(`${file.name}${suffix}`) !== getCopiedSize(file.size));
    await assertSpace(sumSizes(missing));
    const damaged = await copyMedia(missing, store, folder, { encryption, suffix, signal });
    const files = all.filter((file) => !damaged.includes(file.name));
    const name = `${plainName}${suffix}`;
    const path = join(folder, name);
    const unverified = `${path}.part`;
    try {
      const write = async (archive: BackupArchiveWriter) => ({
        ...(await addRows(archive, client, outbox)),
        damaged,
      });
      await writeBackupArchive(unverified, write, { sharedMedia: { files, suffix }, encryption });
      await verifyBackupArchive(unverified, { keys, signal });
      await rename(unverified, path);
      await fsyncFolder(folder);
    } catch (error) {
      await rm(unverified, { force: true });
      throw error;
    }
    const bytes = (await stat(path)).size + sumSizes(files);
    return { name, files: files.length, copied: missing.length - damaged.length, bytes, damaged };
  });
}

type CopyOptions = { encryption: Encryption | null; suffix: string; signal: AbortSignal };

/**
 * Copies files to the shared folder.
 * @returns the names of the files that the store doesn't have intact
 */
async function copyMedia(
  files: readonly MediaFile[],
  store: BackupSource['store'],
  folder: string,
  { encryption, suffix, signal }: CopyOptions,
): Promise<string[]> {
  await createFolderDurably(getSharedMediaFolder(folder));
  const shared = openSharedMedia(folder);
  const unfinished = join(folder, 'copying.part');
  const damaged: string[] = [];
  try {
    for (const file of files) {
      signal.throwIfAborted();
      const isIntact = await copyFile(file, store, unfinished, encryption);
      if (isIntact) await shared.publish(unfinished, `${file.name}${suffix}`);
      else damaged.push(file.name);
    }
  } finally {
    await rm(unfinished, { force: true });
  }
  return damaged;
}

/** Copies a file. @returns false if the store lacks it, or if its bytes are not those that were received */
async function copyFile(
  { name, sha256 }: MediaFile,
  store: BackupSource['store'],
  path: string,
  encryption: Encryption | null,
): Promise<boolean> {
  const opened = await store.open(name, { start: 0 });
  if (!opened) return false;
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const chunk of padWithZeros(opened.stream, opened.size)) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const content = encryption ? encryption.encrypt(hashed()) : hashed();
  await pipeline(content, createWriteStream(path, { mode: 0o600 }));
  return hash.digest('hex') === sha256;
}

const sumSizes = (files: readonly MediaFile[]) => files.reduce((sum, { size }) => sum + size, 0);

type PruneOptions = { keep: number; damaged: readonly string[]; keys: BackupKeys; log: Pick<Log, 'warn'> };

/**
 * Deletes all but the newest `keep` backups, and then the shared files that none of the remaining backups
 * lists. For each file that the newest backup lacks, also keeps the newest backup that has it.
 * @param damaged the files that the newest backup lacks
 */
export async function pruneNightlyBackups(
  folder: string,
  { keep, damaged, keys, log }: PruneOptions,
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
    const media = await readBackupMedia(path, keys).catch(() => null);
    if (!media) unreadable.push(name);
    const found = media?.names.filter((file) => lacking.delete(file));
    if (index >= keep && found?.length === 0) {
      await rm(path);
      continue;
    }
    if (index >= keep)
      log.warn({ name }, 'an old backup is kept, because it may have files that the newest backup lacks');
    for (const copy of media?.copies ?? []) listed.add(copy);
  }
  if (unreadable.length > 0) {
    log.warn({ unreadable }, 'files of deleted backups are kept, because not all backups can be read');
    return;
  }
  const shared = openSharedMedia(folder);
  for await (const { name } of shared.list()) if (!listed.has(name)) await shared.remove(name);
}
