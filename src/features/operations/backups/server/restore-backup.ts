import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { CONSOLE_ACTOR } from '#features/audit/server/service.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { formatLongUtcDateTime } from '#server/mail/email-body.ts';
import { applyMigrations, getNewestMigrationTime } from '#server/db/migrations.ts';
import { withDedicatedConnection } from '#server/db/dedicated-connection.ts';
import { createTaskPool } from '#server/concurrency/task-pool.ts';
import type { ConnectionSettings } from '#server/db/pool.ts';
import { claimStoreForDatabase } from '#server/data-folder/installation.ts';
import type { MediaLocation } from '#server/media/open-store.ts';
import type { MediaStore } from '#server/media/store.ts';
import {
  type BackupInfo,
  readBackupEntries,
  isMediaEntry,
  createBackupTooNewError,
  type BackupTable,
  type ReadOptions,
  type SharedMedia,
  verifyBackupArchive,
} from './archive.ts';
import { createBackupKeys } from './encryption.ts';
import { InvalidBackupError, NOTHING_CHANGED_MESSAGE } from './invalid-backup-error.ts';
import { getSharedMediaFolder, getSharedMediaPath } from './backup-folder.ts';
import { isExcludedFromRestore, suspendRights } from './restored-rights.ts';
import { truncateTables, createRowWriter, setSequences } from './table-rows.ts';

export type RestoreTarget = {
  connection: ConnectionSettings;
  store: MediaStore;
  place: MediaLocation;
  /** Temporary folder. If the store is a folder on disk, this folder is on the same disk. */
  staging: string;
  outbox: string;
};

export type CheckedBackup = BackupInfo & {
  files: number;
  /** Total size of the archive's entries and all shared media, in bytes. */
  bytes: number;
  rowBytes: number;
  /** Media that the backup shares with others; null if the archive contains its media. */
  sharedMedia: SharedMedia | null;
  /** Names of shared media that are missing or damaged. */
  lost: string[];
};

/**
 * Reads and checks the whole backup, including shared media.
 * @throws InvalidBackupError
 */
export async function checkBackup(path: string, options: ReadOptions = {}): Promise<CheckedBackup> {
  const { entries, sharedMedia, ...info } = await verifyBackupArchive(path, options);
  if (info.migration > getNewestMigrationTime()) throw createBackupTooNewError(path);
  const media = sharedMedia?.files ?? [];
  const names = [...entries, ...media.map((file) => ({ name: `media/${file.name}` }))];
  const invalid = names.find(({ name }) => !KNOWN_ENTRY.test(name));
  if (invalid)
    throw new InvalidBackupError(
      `The backup ${path} has a file with an invalid name: ${invalid.name}. ${NOTHING_CHANGED_MESSAGE}`,
    );
  const lost = sharedMedia ? await findLostMedia(path, sharedMedia, options) : [];
  return {
    ...info,
    ...{ sharedMedia, lost },
    files: names.filter(isMediaEntry).length - lost.length,
    bytes: sumSizes(entries) + sumSizes(media),
    rowBytes: sumSizes(entries.filter(({ name }) => name.startsWith('rows/'))),
  };
}

const sumSizes = (files: readonly { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0);

/**
 * Reads the shared media of a nightly backup.
 * @returns the names of those that are missing or damaged
 * @throws InvalidBackupError if their folder or key is missing
 */
async function findLostMedia(
  path: string,
  { files, suffix }: SharedMedia,
  { keys = createBackupKeys(null), signal }: ReadOptions,
): Promise<string[]> {
  const folder = getSharedMediaFolder(dirname(path));
  if (files.length > 0 && !(await stat(folder).catch(() => null)))
    throw new InvalidBackupError(
      `The backup ${path} needs the folder ${folder}, which is missing. Copy it from where the backup was made. ${NOTHING_CHANGED_MESSAGE}`,
    );
  const lost: string[] = [];
  for (const { name, sha256 } of files) {
    signal?.throwIfAborted();
    const copy = getSharedMediaPath(path, `${name}${suffix}`);
    const found = await hashContent(keys.read(copy, dirname(path))).catch(nullIfLost);
    if (found !== sha256) lost.push(name);
  }
  return lost;
}

async function hashContent(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/** Returns null for an error that means that the file is missing or damaged, or that the disk can't read it. */
function nullIfLost(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  const isLost = code === undefined || code === 'ENOENT' || code === 'EIO';
  if (isLost && !(error instanceof InvalidBackupError)) return null;
  throw error;
}

/**
 * Names that an entry may have. Other names are rejected, because a manipulated archive could contain paths
 * outside its folders.
 */
const KNOWN_ENTRY = /^(yangchen-backup\.json|rows\/\w+\/\d+|(media|outbox)\/\w[\w.-]*)$/;

export type RestoreResult = { suspendedPassages: number };

/**
 * Restores a checked backup into an empty installation: the files, and the rows in one transaction. Leaves
 * out lost files, and rights that may have been revoked since the backup. If the restore fails, removes the
 * media files again.
 * @throws a plain Error if there is already a community, before anything is changed
 */
export async function restoreBackup(
  path: string,
  { createdAt, migration, tables, sequences, sharedMedia, lost }: CheckedBackup,
  { connection, store, place, staging, outbox }: RestoreTarget,
  { keys = createBackupKeys(null), signal }: ReadOptions = {},
): Promise<RestoreResult> {
  return withDedicatedConnection(connection, async (client) => {
    await assertEmpty(client, store);
    await applyMigrations(client, migration);
    const rows = createRowWriter(client, tables);
    const published: string[] = [];
    const publishing = createTaskPool(store.maxConcurrent);
    const failed: { staged: string; name: string }[] = [];
    // Over a slow connection, concurrent uploads may stall each other until they time out. They are repeated one
    // at a time at the end.
    const publish = (staged: string, name: string) =>
      store.publish(staged, name).catch((error: unknown) => {
        if (failed.length + 1 >= store.maxConcurrent) throw error;
        failed.push({ staged, name });
      });
    const restoreMedia = async (name: string, content: AsyncIterable<Uint8Array>) => {
      const staged = await saveStream(content, staging, randomUUID());
      published.push(name);
      await publishing.add(() => publish(staged, name));
    };
    let suspended: Awaited<ReturnType<typeof suspendRights>>;
    try {
      await client.query('begin');
      await truncateTables(client, tables);
      for await (const { name, content } of readBackupEntries(path, { keys, ...(signal && { signal }) })) {
        const [kind, inner = ''] = name.split('/');
        if (kind === 'rows' && !isExcludedFromRestore(inner))
          await rows.write(inner, content as AsyncIterable<Buffer>);
        else if (kind === 'outbox') await saveStream(content, outbox, inner);
        else if (kind === 'media') await restoreMedia(inner, content);
        else content.resume();
      }
      for (const { name } of sharedMedia?.files ?? []) {
        signal?.throwIfAborted();
        const copy = getSharedMediaPath(path, `${name}${sharedMedia?.suffix}`);
        if (!lost.includes(name)) await restoreMedia(name, keys.read(copy, dirname(path)));
      }
      await publishing.drain();
      for (const again of failed) await store.publish(again.staged, again.name);
      await rows.finish();
      suspended = await suspendRights(client, tables);
      await setSequences(client, sequences);
      await auditRestore(client, tables, new Date(createdAt));
      await client.query('commit');
    } catch (error) {
      rows.abandon();
      await publishing.settle();
      await client.query('rollback').catch(() => undefined);
      for (const name of published) await store.remove(name);
      throw error;
    }
    await claimStoreForDatabase(drizzle(client), store, place);
    const { files, suspendedPassages } = suspended;
    // Ignores errors. Nobody can open these files without their rows, and maintenance moves those that
    // can't be removed now to `media/set-aside`.
    for (const name of files) await store.remove(name).catch(() => undefined);
    return { suspendedPassages };
  });
}

/** Records the restore in the audit log, if the schema of the backup has one. */
async function auditRestore(client: pg.ClientBase, tables: readonly BackupTable[], takenAt: Date) {
  if (!tables.some(({ name }) => name === 'audit_log')) return;
  await client.query(
    `insert into audit_log (actor_name, action, subject_name) values ($1, 'backup-restored', $2)`,
    [formatDisplayName(CONSOLE_ACTOR), formatLongUtcDateTime(takenAt)],
  );
}

/** Writes a stream to a file. @returns the path of the file */
async function saveStream(content: AsyncIterable<Uint8Array>, folder: string, name: string) {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await pipeline(content, createWriteStream(path, { mode: 0o600, flush: true }));
  return path;
}

/**
 * Checks that the installation is empty.
 * @throws a plain Error if there is already a community, or part of one
 */
async function assertEmpty(client: pg.ClientBase, store: MediaStore) {
  const { rows } = await client.query<{ isMigrated: boolean }>(
    `select to_regclass('public.users') is not null as "isMigrated"`,
  );
  if (rows[0]!.isMigrated) {
    const used = await client.query('select from users union all select from media_files limit 1');
    if (used.rowCount) throw new Error(NOT_EMPTY);
  }
  if ((await store.installationId()) !== null) throw new Error(NOT_EMPTY);
  for await (const _ of store.list()) throw new Error(NOT_EMPTY);
}

const NOT_EMPTY = `There is already a community here. Set DATA_DIR to an empty folder, and DATABASE_URL, if you use it, to an empty database. ${NOTHING_CHANGED_MESSAGE}`;
