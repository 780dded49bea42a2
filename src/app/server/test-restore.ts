import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CheckedBackup,
  checkBackup,
  restoreBackup,
} from '#features/operations/backups/server/restore-backup.ts';
import type { Settings } from '#server/config/settings.ts';
import type { Log } from '#server/log.ts';
import { createDiskMeter, getDiskReserve } from '#server/media/disk-space.ts';
import { createFileChecks } from '#server/media/file-checks.ts';
import { describeMediaLocation, withMediaStore } from '#server/media/open-store.ts';
import { createFileVerifier, type FileFinding } from '#server/media/verification.ts';
import { createNoticesService } from '#server/notices.ts';
import { deleteRestoreTestFolder, getRestoreTestFolder } from './restore-test-folder.ts';
import { withDatabase, withUnmigratedDatabase } from './with-database.ts';

/** Space needed in addition to the size of the backup, in bytes: for the database's own files and indexes. */
const DATABASE_BYTES = 256 * 1024 * 1024;

/** Maximum number of wrong files to name in an error. */
const MAX_NAMED_FILES = 20;

/** Error for a restore test that found a problem. Its message is for the operator. */
export class RestoreTestError extends Error {
  override readonly name: string = 'RestoreTestError';
}

/** Error for a restore test that was not started, because the disk has too little space. */
export class NoRoomForRestoreTestError extends RestoreTestError {
  override readonly name = 'NoRoomForRestoreTestError';
  readonly hasNoRoom = true;
}

/**
 * Restores a backup into a scratch installation in the data folder, with its own embedded database, migrates it
 * to this version, and compares each file with the database. Then deletes the scratch installation.
 * @throws RestoreTestError; InvalidBackupError; DataFolderInUseError while another test runs; the signal's
 * reason if it aborts
 */
export async function testRestore(
  path: string,
  settings: Settings,
  log: Log,
  signal?: AbortSignal,
): Promise<CheckedBackup> {
  const scratch: Settings = {
    ...settings,
    dataDir: getRestoreTestFolder(settings.dataDir),
    databaseUrl: null,
    s3: null,
  };
  await deleteRestoreTestFolder(settings.dataDir, log);
  try {
    await assertRoom(path, settings);
    const backup = await checkBackup(path, signal);
    await withUnmigratedDatabase(scratch, log, (connection) =>
      withMediaStore(scratch, log, (store) =>
        restoreBackup(
          path,
          backup,
          {
            connection,
            store,
            place: describeMediaLocation(scratch),
            staging: join(scratch.dataDir, 'staging'),
            outbox: join(scratch.dataDir, 'outbox'),
          },
          signal,
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
  } finally {
    await deleteRestoreTestFolder(settings.dataDir, log);
  }
}

async function assertRoom(path: string, { dataDir, minFreeDisk }: Settings) {
  const { size } = await stat(path);
  const space = await createDiskMeter(dataDir)();
  if (space.total > 0 && space.free - size - DATABASE_BYTES < getDiskReserve(space, minFreeDisk))
    throw new NoRoomForRestoreTestError(
      `There is not enough space in ${dataDir} to test the backup ${path}: a test needs the size of the backup and ${DATABASE_BYTES / 1024 / 1024} MB more.`,
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
        // A file that is marked as damaged in the backup's rows, but intact, is not a problem of the backup.
        onFound: (findings) => void wrong.push(...findings.filter(({ kind }) => kind !== 'whole')),
      });
    }),
  );
  return wrong;
}

const createWrongFilesError = (path: string, files: FileFinding[]) =>
  new RestoreTestError(
    `The backup ${path} was restored in a test, but ${files.length} of its files differ from its database: ${files
      .slice(0, MAX_NAMED_FILES)
      .map(({ name, kind }) => `${name} (${kind})`)
      .join(', ')}${files.length > MAX_NAMED_FILES ? ', …' : ''}`,
  );
