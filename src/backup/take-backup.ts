import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { holdBackupLock } from '../db/backup-lock.ts';
import { KEEP_ALIVE, LIMITS, type Connection } from '../db/pool.ts';
import type { MediaStore } from '../platform/server/media/store.ts';
import { writeArchive, type ArchiveWriter } from './archive.ts';
import { rowsOf, sequencesIn, tablesIn } from './rows.ts';

export type BackupSource = { connection: Connection; store: Pick<MediaStore, 'open'>; outbox: string };
export type Progress = { files: number; of: number; bytes: number };
export type BackupTaken = { files: number; bytes: number; damaged: string[] };

type File = { name: string; sha256: string };

/**
 * Takes one consistent archive while people go on using the program: all rows in one snapshot, and the files that they
 * name. A file whose row is deleted meanwhile is set aside until the archive has it.
 * @throws a plain Error; then there is no archive
 */
export async function takeBackup(
  { connection, store, outbox }: BackupSource,
  path: string,
  onProgress: (progress: Progress) => void,
): Promise<BackupTaken> {
  if (await stat(path).catch(() => null)) throw new Error(`There is a file ${path} already.`);
  const client = new pg.Client({ ...connection, ...KEEP_ALIVE, connectionTimeoutMillis: LIMITS.connect });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    await holdBackupLock(client);
    await client.query('begin isolation level repeatable read, read only');
    const { entries, damaged } = await writeArchive(path, async (archive) => {
      const tables = await tablesIn(client);
      for (const table of tables) {
        let number = 0;
        for await (const chunk of rowsOf(client, table))
          await archive.add(`rows/${table.name}/${(number += 1)}`, chunk.length, chunk);
      }
      await addOutbox(archive, outbox);
      const damaged = await addMedia(archive, store, await filesOf(client), onProgress);
      const sequences = await sequencesIn(client);
      const migration = await newestMigration(client);
      return { createdAt: new Date().toISOString(), migration, tables, sequences, damaged };
    });
    return {
      files: entries.filter(({ name }) => name.startsWith('media/')).length,
      bytes: (await stat(path)).size,
      damaged,
    };
  } finally {
    await client.end();
  }
}

/** Mails that nobody has passed on yet. */
async function addOutbox(archive: ArchiveWriter, folder: string) {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    // Passed on meanwhile.
    if (found?.isFile()) await archive.add(`outbox/${name}`, found.size, createReadStream(path));
  }
}

/** @returns the names of those that are missing, or not as they were received */
async function addMedia(
  archive: ArchiveWriter,
  store: BackupSource['store'],
  files: File[],
  onProgress: (progress: Progress) => void,
): Promise<string[]> {
  const damaged: string[] = [];
  const progress = { files: 0, of: files.length, bytes: 0 };
  for (const { name, sha256 } of files) {
    const file = await store.open(name, { start: 0 });
    if (!file || (await archive.add(`media/${name}`, file.size, file.stream)) !== sha256) damaged.push(name);
    progress.files += 1;
    progress.bytes += file?.size ?? 0;
    onProgress(progress);
  }
  return damaged;
}

async function filesOf(client: pg.ClientBase): Promise<File[]> {
  const { rows } = await client.query<File>('select name, sha256 from media_files order by name');
  return rows;
}

async function newestMigration(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ newest: string }>(
    'select max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  return Number(rows[0]!.newest);
}
