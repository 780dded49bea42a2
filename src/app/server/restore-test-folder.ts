import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolderInUseError, lockDataFolder } from '#server/data-folder/data-folder-lock.ts';
import type { Log } from '#server/log.ts';
import { stopOrphanedServers } from '#server/postgres/orphans.ts';

/**
 * Returns the folder with the lock. It is never deleted, because another process may be waiting for the lock.
 */
const getLockFolder = (parent: string) => join(parent, 'restore-test');

/** Returns the data folder of the scratch installation, which exists only while a backup is restored in a test. */
export const getScratchFolder = (parent: string) => join(getLockFolder(parent), 'data');

/**
 * Locks the scratch folder in `parent` for a test, and deletes its content before and afterwards.
 * @throws DataFolderInUseError while another test runs there
 */
export async function withScratchFolder<T>(
  parent: string,
  log: Log,
  use: (dataDir: string) => Promise<T>,
): Promise<T> {
  const lock = lockDataFolder(getLockFolder(parent));
  try {
    await deleteScratchFolder(parent, log);
    return await use(getScratchFolder(parent));
  } finally {
    await deleteScratchFolder(parent, log).finally(lock.release);
  }
}

/** Deletes what a killed process left in these folders. Skips folders where a test is running. Logs failures. */
export async function deleteLeftScratchFolders(parents: readonly string[], log: Log): Promise<void> {
  for (const parent of parents) {
    try {
      if (await stat(getScratchFolder(parent)).catch(() => null))
        await withScratchFolder(parent, log, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof DataFolderInUseError))
        log.warn({ error }, 'the files of an earlier restore test could not be deleted');
    }
  }
}

async function deleteScratchFolder(parent: string, log: Log) {
  const folder = getScratchFolder(parent);
  await stopOrphanedServers(join(folder, 'postgres'), log);
  await rm(folder, { recursive: true, force: true });
}
