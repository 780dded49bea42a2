import { chown, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PostgresStartError } from './postgres-start-error.ts';
import { readLockFile, type ServerLockFile } from './pid-file.ts';
import { readCommandLine, isSameFolder } from './processes.ts';
import type { RunAsOptions } from './run-as.ts';

/** Port number in the socket's name. The server doesn't listen on a TCP port. */
export const SOCKET_PORT = 5432;

const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
const TEMPORARY_PREFIX = 'yangchen-';

/** Maximum length of a socket's path in bytes: the size of the kernel's `sun_path` without the final NUL. */
const MAX_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107;

/**
 * Creates the empty socket folder and returns its path: `<dataDir>/socket` or, if that is too long for a
 * socket, a short path in the temporary folder. Mode 0700 locks other system users out.
 */
export async function createSocketFolder(dataDir: string, runAs: RunAsOptions): Promise<string> {
  const folder = await createEmptyFolder(join(dataDir, 'socket'));
  if (runAs.owner) await chown(folder, runAs.owner.uid, runAs.owner.gid);
  return folder;
}

/** Removes a server's files from its socket folder: the socket, and the lock file with the server's pid. */
export async function removeSocketFiles(folder: string): Promise<void> {
  for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) await rm(join(folder, name), { force: true });
  // Removes the folder itself if it is a temporary one and empty. Other files in it aren't ours.
  if (basename(folder).startsWith(TEMPORARY_PREFIX)) await rmdir(folder).catch(() => undefined);
}

/**
 * Removes the socket of the server that wrote this pid file, if that server is dead and served `folder`. If the
 * folder was copied while its server ran, the pid file names the original's socket, which is not removed.
 */
export async function removeStaleSocket(left: ServerLockFile, folder: string): Promise<void> {
  if (!(await isSocketOwnedBy(left))) return;
  const isAlive = (await readCommandLine(left.pid)).includes('-D');
  if (!isAlive && (await isSameFolder(left.folder, folder))) await removeSocketFiles(left.socketFolder);
}

/** Returns whether the socket still belongs to the server that wrote this pid file. */
export async function isSocketOwnedBy(server: ServerLockFile): Promise<boolean> {
  const lock = server.socketFolder && (await readLockFile(join(server.socketFolder, `${SOCKET_NAME}.lock`)));
  return !!lock && lock.pid === server.pid && lock.startedAt === server.startedAt;
}

async function createEmptyFolder(preferred: string): Promise<string> {
  if (isShortEnough(preferred)) {
    await rm(preferred, { recursive: true, force: true });
    await mkdir(preferred, { mode: 0o700 });
    return preferred;
  }
  const place = [tmpdir(), '/tmp'].find((parent) => isShortEnough(join(parent, `${TEMPORARY_PREFIX}XXXXXX`)));
  if (!place)
    throw new PostgresStartError(
      `The path of the data folder is too long for PostgreSQL's socket: ${preferred}. Choose a shorter DATA_DIR.`,
    );
  return mkdtemp(join(place, TEMPORARY_PREFIX));
}

const isShortEnough = (folder: string) => Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH;
