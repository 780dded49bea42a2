import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DataFolderLock = {
  /** Unlocks the folder for the next process; idempotent. */
  release(): void;
};

/** Error for a data folder that is locked by another process, or another part of this one. */
export class DataFolderInUseError extends Error {
  constructor(dataDir: string) {
    super(`This data folder is in use by another Yangchen: ${dataDir}`);
    this.name = 'DataFolderInUseError';
  }
}

/**
 * Locks a data folder for this process, creating it (0700) if missing.
 *
 * The lock is SQLite's exclusive lock on the empty file `lock`: the kernel releases it whenever and however the
 * process ends, so a crash never leaves a stale lock. Node has no file locks of its own.
 *
 * Nothing else in the process may open `lock`: closing any handle to it would release the lock (POSIX locks belong
 * to the process, not to the handle).
 *
 * @throws {DataFolderInUseError} when it is locked already; a plain Error when the folder isn't writable
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
 * Keeps open databases referenced: the garbage collector would close an unreferenced one, which would release the
 * lock.
 */
const claims = new Set<DatabaseSync>();

/** 5 is SQLITE_BUSY: another process has the lock. */
const isBusyError = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5;
