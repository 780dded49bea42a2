import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Information that a server writes about itself, in its data folder and next to its socket. */
export type ServerLockFile = {
  pid: number;
  /** Path of the database's folder when the server was started. In a copy, this is the original's path. */
  folder: string;
  /** Unix time in seconds. */
  startedAt: number;
  /** Path of the folder with the socket; empty at the very beginning of a start. */
  socketFolder: string;
};

export const readPidFile = (folder: string) => readLockFile(join(folder, 'postmaster.pid'));

/**
 * Reads the first five lines of a pid or lock file, as defined in PostgreSQL's `miscadmin.h`.
 * @returns null if there is no such file
 */
export async function readLockFile(file: string): Promise<ServerLockFile | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const [pid = '', folder = '', startedAt = '', , socketFolder = ''] = text.split('\n');
  return {
    pid: Number.parseInt(pid, 10),
    folder: folder.trim(),
    startedAt: Number.parseInt(startedAt, 10),
    socketFolder: socketFolder.trim(),
  };
}
