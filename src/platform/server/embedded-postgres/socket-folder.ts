import { chown, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CannotStartPostgres } from './cannot-start.ts';
import { readLockFile, type LockFile } from './pid-file.ts';
import { commandLine, isSameFolder } from './processes.ts';
import type { RunAs } from './run-as.ts';

/** Only the name of the socket depends on it: nothing listens on a port. */
export const port = 5432;

const socket = `.s.PGSQL.${port}`;
const temporary = 'yangchen-';

/** The kernel's `sun_path`, less its final NUL. */
const longestPath = process.platform === 'darwin' ? 103 : 107;

/**
 * Makes the folder (0700) of the socket, empty: `<dataDir>/socket`, or where that is too long for a socket,
 * one with a short name among the temporary files. The 0700 is what keeps other users out.
 */
export async function makeSocketFolder(dataDir: string, runAs: RunAs): Promise<string> {
  const folder = await emptyFolder(join(dataDir, 'socket'));
  if (runAs.owner) await chown(folder, runAs.owner.uid, runAs.owner.gid);
  return folder;
}

/** Removes what the server that was started there left: its socket, and the lock that names its process. */
export async function removeSocketFolder(folder: string): Promise<void> {
  for (const name of [socket, `${socket}.lock`]) await rm(join(folder, name), { force: true });
  // Whatever else is in it, if anything, is not ours.
  if (basename(folder).startsWith(temporary)) await rmdir(folder).catch(() => undefined);
}

/**
 * Removes the socket of the server that wrote this pid file, if that server is gone and it served `folder`: in a copy
 * of a running folder, the file leads to the socket of the original.
 */
export async function removeSocketOf(left: LockFile, folder: string): Promise<void> {
  if (!(await isSocketOf(left))) return;
  const isAlive = (await commandLine(left.pid)).includes('-D');
  if (!isAlive && (await isSameFolder(left.folder, folder))) await removeSocketFolder(left.socketFolder);
}

/** Whether the socket in its folder is still that of the server that wrote this pid file, and not another's. */
export async function isSocketOf(server: LockFile): Promise<boolean> {
  const lock = server.socketFolder && (await readLockFile(join(server.socketFolder, `${socket}.lock`)));
  return !!lock && lock.pid === server.pid && lock.startedAt === server.startedAt;
}

async function emptyFolder(preferred: string): Promise<string> {
  if (fits(preferred)) {
    await rm(preferred, { recursive: true, force: true });
    await mkdir(preferred, { mode: 0o700 });
    return preferred;
  }
  const place = [tmpdir(), '/tmp'].find((parent) => fits(join(parent, `${temporary}XXXXXX`)));
  if (!place)
    throw new CannotStartPostgres(`The path of the data folder is too long for a socket: ${preferred}`);
  return mkdtemp(join(place, temporary));
}

const fits = (folder: string) => Buffer.byteLength(join(folder, socket)) <= longestPath;
