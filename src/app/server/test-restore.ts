import { dirname, join } from 'node:path';
import { createBackupKeys } from '#features/operations/backups/server/encryption.ts';
import { getSharedMediaFolder } from '#features/operations/backups/server/backup-folder.ts';
import {
  type CheckedBackup,
  checkBackup,
  restoreBackup,
} from '#features/operations/backups/server/restore-backup.ts';
import { formatByteSize } from '#shared/byte-size.ts';
import type { RestoreTestResult } from '#features/operations/backups/server/service.ts';
import type { Settings } from '#server/config/settings.ts';
import { DataFolderInUseError } from '#server/data-folder/data-folder-lock.ts';
import type { Log } from '#server/log.ts';
import { createDiskMeter, getDiskReserve, isOutOfSpaceError } from '#server/media/disk-space.ts';
import { createFileChecks } from '#server/media/file-checks.ts';
import { describeMediaLocation, withMediaStore } from '#server/media/open-store.ts';
import { createFileVerifier, type FileFinding } from '#server/media/verification.ts';
import { createNoticesService } from '#server/notices.ts';
import { PostgresStartError } from '#server/postgres/postgres-start-error.ts';
import { withScratchFolder } from './restore-test-folder.ts';
import { withDatabase, withUnmigratedDatabase } from './with-database.ts';

/** Size of an empty database with its write-ahead log, in bytes. */
const EMPTY_DATABASE_BYTES = 256 * 1024 * 1024;
/** Size of a table with its indexes and its share of the write-ahead log, as a multiple of its rows' size. */
const BYTES_PER_ROW_BYTE = 4;

/** Maximum number of wrong files to name in an error. */
const MAX_NAMED_FILES = 20;

/** Error for a restore test that was not started, because no disk has enough space. */
class NoRoomForRestoreTestError extends Error {
  override readonly name = 'NoRoomForRestoreTestError';
}

/**
 * Restores a backup into a scratch installation with its own embedded database, migrates it to this version,
 * and compares each file with the database. Then deletes the scratch installation. The scratch installation
 * is in the data folder, or in BACKUP_DIR if only that disk has enough space.
 * @throws a plain Error, with a message for the operator, if a file is wrong; NoRoomForRestoreTestError;
 * InvalidBackupError; PostgresStartError if the embedded database can't run here; DataFolderInUseError while
 * another test runs; the signal's reason if it aborts
 */
export async function testRestore(
  path: string,
  settings: Settings,
  log: Log,
  signal?: AbortSignal,
): Promise<CheckedBackup> {
  const keys = createBackupKeys(settings.backupPassphrase);
  const options = { keys, ...(signal && { signal }) };
  const backup = await checkBackup(path, options);
  if (backup.lost.length > 0) throw createLostFilesError(path, backup.lost);
  const parent = await findParentFolder(path, backup, settings);
  return withScratchFolder(parent, log, async (dataDir) => {
    const scratch: Settings = { ...settings, dataDir, databaseUrl: null, s3: null };
    try {
      await withUnmigratedDatabase(scratch, log, (connection) =>
        withMediaStore(scratch, log, (store) =>
          restoreBackup(
            path,
            backup,
            {
              connection,
              store,
              place: describeMediaLocation(scratch),
              staging: join(dataDir, 'staging'),
              outbox: join(dataDir, 'outbox'),
            },
            options,
          ),
        ),
      );
      // Starts the database again, as the program would after a restore, and migrates it.
      const wrong = await verifyRestored(scratch, log, signal);
      const unexpected = wrong.filter(({ name }) => !backup.damaged.includes(name));
      if (unexpected.length > 0) throw createWrongFilesError(path, unexpected);
      return backup;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  });
}

/**
 * Runs `testRestore` and returns the result: 'proven', or why the test could not be run.
 * @throws like `testRestore` if the backup can't be restored, or if the signal aborts
 */
export async function getRestoreTestResult(
  ...[path, settings, log, signal]: Parameters<typeof testRestore>
): Promise<RestoreTestResult> {
  try {
    await testRestore(path, settings, log, signal);
    return 'proven';
  } catch (error) {
    if (error instanceof DataFolderInUseError) return 'busy';
    const result =
      error instanceof NoRoomForRestoreTestError || isOutOfSpaceError(error)
        ? 'no-room'
        : error instanceof PostgresStartError
          ? 'no-database'
          : null;
    if (result === null) throw error;
    log.warn({ error }, 'the backup could not be restored in a test');
    return result;
  }
}

/** Returns the first folder whose disk has enough space beyond its reserve: the data folder or BACKUP_DIR. */
async function findParentFolder(
  path: string,
  { bytes, rowBytes }: CheckedBackup,
  { dataDir, backupDir, minFreeDisk }: Settings,
) {
  const needed = bytes + BYTES_PER_ROW_BYTE * rowBytes + EMPTY_DATABASE_BYTES;
  const folders = backupDir === null ? [dataDir] : [dataDir, backupDir];
  for (const folder of folders) {
    const space = await createDiskMeter(folder)();
    if (space.total === 0 || space.free - needed >= getDiskReserve(space, minFreeDisk)) return folder;
  }
  throw new NoRoomForRestoreTestError(
    `There is not enough space in ${folders.join(' or ')} to test the backup ${path}: a test needs ${formatByteSize(needed)} beyond the reserve.`,
  );
}

async function verifyRestored(settings: Settings, log: Log, signal?: AbortSignal): Promise<FileFinding[]> {
  const wrong: FileFinding[] = [];
  await withDatabase(settings, log, (db, connection) =>
    withMediaStore(settings, log, async (store) => {
      const notices = createNoticesService(db);
      const clock = () => new Date();
      const checks = createFileChecks({ db, store, notices, clock, log });
      await createFileVerifier({ db, connection, store, checks, notices, clock })({
        before: clock(),
        repair: false,
        read: 'all',
        isMaintenance: false,
        settleMs: 0,
        ...(signal && { signal }),
        // Ignores files that are intact although the backup's rows mark them as damaged.
        onFound: (findings) => void wrong.push(...findings.filter(({ kind }) => kind !== 'whole')),
      });
    }),
  );
  return wrong;
}

const createWrongFilesError = (path: string, files: FileFinding[]) =>
  new Error(
    `The backup ${path} was restored in a test, but ${files.length} of its files differ from its database: ${formatNames(
      files.map(({ name, kind }) => `${name} (${kind})`),
    )}`,
  );

const createLostFilesError = (path: string, names: string[]) =>
  new Error(
    `The backup ${path} is incomplete. In ${getSharedMediaFolder(dirname(path))}, ${names.length === 1 ? 'this file is' : 'these files are'} missing or damaged (if damaged, delete it, so that the next backup copies it again): ${formatNames(names)}`,
  );

/** Formats the first of these names for a message. */
export const formatNames = (names: string[]) =>
  `${names.slice(0, MAX_NAMED_FILES).join(', ')}${names.length > MAX_NAMED_FILES ? ', …' : ''}`;
