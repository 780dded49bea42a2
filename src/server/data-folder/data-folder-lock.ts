import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DataFolderLock = {
  /** Unlocks the folder for the next process. Idempotent. */
  release(): void;
};

/** Error for a data folder that another process, or this process, has already locked. */
export class DataFolderInUseError extends Error {
  constructor(dataDir: string) {
    super(`This data folder is in use by another Yangchen: ${dataDir}`);
    this.name = 'DataFolderInUseError';
  }
}

/**
 * Locks a data folder for this process, after creating the folder (0700) if it is missing. The lock is SQLite's
 * exclusive lock on the empty file `lock`, because Node has no file locks of its own. The kernel releases it
 * when the process ends, however that happens, so a crash never leaves a stale lock. No other code in the
 * process may open `lock`: closing any handle to it would release the lock (POSIX locks belong to the process,
 * not to the handle).
 * @throws DataFolderInUseError if the folder is already locked; Error if it isn't writable
 */
export function lockDataFolder(dataDir: string): DataFolderLock {
  const folder = resolve(dataDir);
  const file = join(folder, 'lock');
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(file);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    chmodSync(file, 0o600);
  } catch (error) {
    database?.close();
    if (isBusyError(error)) throw new DataFolderInUseError(folder);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`This data folder can't be written to: ${folder} (${reason})`, { cause: error });
  }
  const claim = database;
  claims.add(claim);
  return {
    release() {
      if (claims.delete(claim)) claim.close();
    },
  };
}

/**
 * Databases of held locks. They are referenced here because the garbage collector would close an unreferenced
 * database, which would release the lock.
 */
const claims = new Set<DatabaseSync>();

/** Returns whether SQLite failed with SQLITE_BUSY (5), because the file is already locked. */
const isBusyError = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5;
