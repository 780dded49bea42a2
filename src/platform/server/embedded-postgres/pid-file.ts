import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a server writes down about itself, in its data folder and beside its socket. */
export type LockFile = {
  pid: number;
  /** The database's folder by the path that it had when the server was started; in a copy, that of the original. */
  folder: string;
  /** Seconds since 1970. */
  startedAt: number;
  /** Empty in the first moments of a start. */
  socketFolder: string;
};

export const readPidFile = (folder: string) => readLockFile(join(folder, 'postmaster.pid'));

/** Its first five lines, as `miscadmin.h` of PostgreSQL lists them. @returns null where there is no such file */
export async function readLockFile(file: string): Promise<LockFile | null> {
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
