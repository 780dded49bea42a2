import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { acquireBackupLock } from '#server/db/advisory-locks.ts';
import { withDedicatedConnection } from '#server/db/dedicated-connection.ts';
import type { ConnectionSettings } from '#server/db/pool.ts';
import type { FileProgress } from '#server/progress.ts';
import type { MediaStore } from '#server/media/store.ts';
import {
  type BackupArchiveWriter,
  type BackupInfo,
  isMediaEntry,
  type MediaFile,
  writeBackupArchive,
} from './archive.ts';
import type { Encryption } from './encryption.ts';
import { readTableRows, listSequences, listTables } from './table-rows.ts';

export type BackupSource = {
  connection: ConnectionSettings;
  store: Pick<MediaStore, 'open'>;
  outbox: string;
};
export type BackupResult = { files: number; bytes: number; damaged: string[] };

/**
 * Writes a complete backup to one file while the program is in use: a snapshot of all rows, and the files that
 * they list. Waits until any other backup has ended.
 * @throws a plain Error if it fails, leaving no archive behind
 */
export async function takeBackup(
  { connection, store, outbox }: BackupSource,
  path: string,
  onProgress: (progress: FileProgress) => void,
  encryption: Encryption | null = null,
): Promise<BackupResult> {
  const { entries, damaged } = await withSnapshot(connection, (client) => {
    const write = async (archive: BackupArchiveWriter) => {
      const info = await addRows(archive, client, outbox);
      const damaged = await addMedia(archive, store, await listFiles(client), onProgress);
      return { ...info, damaged };
    };
    return writeBackupArchive(path, write, { encryption });
  });
  return { files: entries.filter(isMediaEntry).length, bytes: (await stat(path)).size, damaged };
}

/**
 * Runs `use` in a transaction that sees one moment of all rows. If a file's row is deleted until `use` is done,
 * the file is moved to `media/set-aside`, so that it can still be read.
 */
export const withSnapshot = <T>(connection: ConnectionSettings, use: (client: pg.ClientBase) => Promise<T>) =>
  withDedicatedConnection(connection, async (client) => {
    await acquireBackupLock(client);
    await client.query('begin isolation level repeatable read, read only');
    return use(client);
  });

/** Adds all rows and the emails that are still in the outbox folder. */
export async function addRows(
  archive: BackupArchiveWriter,
  client: pg.ClientBase,
  outbox: string,
): Promise<Omit<BackupInfo, 'damaged'>> {
  const tables = await listTables(client);
  for (const table of tables) {
    let number = 0;
    for await (const chunk of readTableRows(client, table))
      await archive.add(`rows/${table.name}/${(number += 1)}`, chunk.length, chunk);
  }
  await addOutbox(archive, outbox);
  const sequences = await listSequences(client);
  const migration = await findNewestMigration(client);
  return { createdAt: new Date().toISOString(), migration, tables, sequences };
}

async function addOutbox(archive: BackupArchiveWriter, folder: string) {
  for (const name of (await nullIfMissing(readdir(folder))) ?? []) {
    // Skips an email that has been taken out of the folder since it was listed.
    const mail = await nullIfMissing(readFile(join(folder, name)));
    if (mail) await archive.add(`outbox/${name}`, mail.length, mail);
  }
}

async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Adds the media files.
 * @returns the names of files that are missing, or different from what was received
 */
async function addMedia(
  archive: BackupArchiveWriter,
  store: BackupSource['store'],
  files: MediaFile[],
  onProgress: (progress: FileProgress) => void,
): Promise<string[]> {
  const damaged: string[] = [];
  const progress = { files: 0, total: files.length, bytes: 0 };
  for (const { name, sha256 } of files) {
    const file = await store.open(name, { start: 0 });
    const content = file && Readable.from(padWithZeros(file.stream, file.size));
    if (!content || (await archive.add(`media/${name}`, file.size, content)) !== sha256) damaged.push(name);
    progress.files += 1;
    progress.bytes += file?.size ?? 0;
    onProgress(progress);
  }
  return damaged;
}

/**
 * Fills the rest of a truncated or unreadable file with zeros, so that the backup still contains all other
 * files.
 */
export async function* padWithZeros(content: Readable, size: number): AsyncGenerator<Buffer> {
  let read = 0;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      read += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
  }
  for (; read < size; read += ZEROS.length) yield ZEROS.subarray(0, size - read);
}

const ZEROS = Buffer.alloc(64 * 1024);

export async function listFiles(client: pg.ClientBase): Promise<MediaFile[]> {
  const { rows } = await client.query<MediaFile>('select name, size, sha256 from media_files order by name');
  return rows;
}

async function findNewestMigration(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ newest: string }>(
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  return Number(rows[0]!.newest);
}
