import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DataFolderLock = {
  /** Lets the next process in. Safe to call twice. */
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
 * Claims a data folder for this process, making the folder (0700) where it is missing.
 *
 * The claim is SQLite's exclusive lock on the empty file `lock`: the kernel drops it when the process ends,
 * however it ends, so a crash never leaves a folder that looks taken. Node has no file lock of its own.
 *
 * Nothing else in the process may open `lock`: closing any handle to it would drop the claim (POSIX locks
 * belong to the process, not to the handle).
 *
 * @throws {DataFolderInUse} when it is claimed already; a plain Error when the folder can't be written to.
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

/** A database that nobody refers to is closed by the garbage collector, which would drop the claim. */
const claims = new Set<DatabaseSync>();

/** 5 is SQLITE_BUSY: the file is locked by someone else. */
const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === 5;
