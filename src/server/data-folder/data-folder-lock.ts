import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DataFolderLock = {
  /** Lets the next process in; idempotent. */
  release(): void;
};

/** Another process, or another part of this one, holds the data folder. */
export class DataFolderInUse extends Error {
  constructor(dataDir: string) {
    super(`This data folder is in use by another Yangchen: ${dataDir}`);
    this.name = 'DataFolderInUse';
  }
}

/**
 * Locks a data folder for this process, creating it (0700) if missing.
 *
 * The lock is SQLite's exclusive lock on the empty file `lock`: the kernel releases it when the process ends, for
 * whatever reason, so a crash never leaves a stale lock. Node has no file locks of its own.
 *
 * Nothing else in the process may open `lock`: closing any handle to it would release the lock (POSIX locks belong to
 * the process, not to the handle).
 *
 * @throws {DataFolderInUse} when it is locked already; a plain Error when the folder isn't writable
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
    if (isBusy(error)) throw new DataFolderInUse(folder);
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

/** An unreferenced database would be closed by the garbage collector, which would release the lock. */
const claims = new Set<DatabaseSync>();

/** 5 is SQLITE_BUSY: someone else holds the lock. */
const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5;
