import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolderInUseError, lockDataFolder } from '#server/data-folder/data-folder-lock.ts';
import type { Log } from '#server/log.ts';
import { stopOrphanedServers } from '#server/postgres/orphans.ts';

/** Returns the folder of the scratch installation, which exists only while a backup is restored in a test. */
export const getRestoreTestFolder = (dataDir: string) => join(dataDir, 'restore-test');

/**
 * Deletes the scratch installation, also that of a test whose process was killed. A no-op if there is none.
 * @throws DataFolderInUseError while a test runs
 */
export async function deleteRestoreTestFolder(dataDir: string, log: Log): Promise<void> {
  const folder = getRestoreTestFolder(dataDir);
  if (!(await stat(folder).catch(() => null))) return;
  const lock = lockDataFolder(folder);
  try {
    await stopOrphanedServers(join(folder, 'postgres'), log);
    await rm(folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

/** Deletes what a test of an earlier process left behind, unless a test runs now. Logs any other failure. */
export const deleteLeftRestoreTestFolder = (dataDir: string, log: Log): Promise<void> =>
  deleteRestoreTestFolder(dataDir, log).catch((error: unknown) => {
    if (!(error instanceof DataFolderInUseError))
      log.warn({ error }, 'the files of an earlier restore test could not be deleted');
  });
