import {
  chmod,
  lchown,
  mkdir,
  readdir,
  readFile,
  realpath,
  stat,
  open,
  rename,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.ts';
import { PostgresStartError } from './postgres-start-error.ts';
import { createEmbeddedConnectionSettings, type EmbeddedConnectionSettings } from './connection.ts';
import { createCluster } from './initdb.ts';
import type { PostgresLog } from './log.ts';
import { stopOrphanedServers } from './orphans.ts';
import { waitUntilDatabaseReady } from './wait-until-database-ready.ts';
import { chooseRunAsOptions, type FolderOwner, type RootMode, type RunAsOptions } from './run-as.ts';
import { spawnPostgresServer, type ExitStatus } from './server-process.ts';
import { createSocketFolder, removeSocketFiles } from './socket-folder.ts';

export type EmbeddedPostgres = {
  connection: EmbeddedConnectionSettings;
  /** Closes open sessions, writes a checkpoint and stops the server. Idempotent. */
  stop(): Promise<void>;
  /** Registers a callback for an unexpected exit. It is called once, even if the server has already exited. */
  onExit(callback: (how: ExitStatus) => void): void;
};

export type PostgresStartOptions = {
  dataDir: string;
  /** Folder with PostgreSQL programs to use instead of those from npm. */
  binDir?: string | undefined;
  /** Folder with Debian's PostgreSQL servers, set only by tests. */
  debianFolder?: string;
  log: PostgresLog;
  /** Whether to flush writes to disk; true by default. Tests pass false, to avoid waiting for the disk. */
  fsync?: boolean;
  /** Forces one of the ways to run as root, for tests. */
  rootMode?: RootMode;
  /** Time to keep retrying while an earlier server's memory is in use, in ms. Set only by tests. */
  sharedMemoryTimeoutMs?: number;
};

/**
 * Default time to keep retrying while an earlier server's memory is in use. It is long, because the kernel
 * may need seconds to reclaim the memory of a busy server that was killed.
 */
const SHARED_MEMORY_TIMEOUT_MS = 20_000;
const SHARED_MEMORY_RETRY_MS = 100;

/**
 * Starts the PostgreSQL server for `<dataDir>/postgres`, and creates the database the first time. The server
 * listens only on a socket. On Linux, it stops when this process ends for any reason. Call this function only
 * on the main thread, because the kernel treats the end of the starting thread as the end of the process. The
 * caller must have locked the data folder with `lockDataFolder`.
 * @throws PostgresStartError with a sentence for the operator
 */
export async function startEmbeddedPostgres(options: PostgresStartOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const folder = join(dataDir, 'postgres');
  const existing = await stat(folder).catch(() => null);
  const major = existing && (await readMajor(folder));

  const binaries = await findPostgresBinaries(options.binDir, major, options.debianFolder);
  const { runAs, version } = await chooseRunAsOptions(binaries, dataDir, existing, options.rootMode);
  const { takenFrom } = await stopOrphanedServers(folder, log);
  if (runAs.owner) await allowTraversal(dataDir, runAs.owner);
  if (existing && major !== null) {
    assertVersion(folder, major, version, binaries);
    if (runAs.owner) await changeOwner(folder, existing, runAs.owner);
  } else {
    log.info(`Creating the database in ${folder}`);
    await createCluster(dataDir, binaries, runAs, version);
  }
  const server = { dataDir, folder, takenFrom, fsync: options.fsync ?? true };
  const retryUntil = Date.now() + (options.sharedMemoryTimeoutMs ?? SHARED_MEMORY_TIMEOUT_MS);
  for (;;) {
    try {
      return await runServer(server, binaries, runAs, log);
    } catch (error) {
      if (!(error instanceof SharedMemoryInUseError)) throw error;
      if (Date.now() >= retryUntil) throw new PostgresStartError(error.message);
    }
    await sleep(SHARED_MEMORY_RETRY_MS);
  }
}

async function runServer(
  {
    dataDir,
    folder,
    takenFrom,
    fsync,
  }: { dataDir: string; folder: string; takenFrom: string | null; fsync: boolean },
  binaries: PostgresBinaries,
  runAs: RunAsOptions,
  log: PostgresLog,
): Promise<EmbeddedPostgres> {
  const socketFolder = await createSocketFolder(dataDir, runAs);
  const logFile = await openLogFile(join(dataDir, 'postgres.log'));
  const server = spawnPostgresServer(
    { folder, socketFolder, logTo: logFile.handle.fd, fsync },
    binaries,
    runAs,
  );
  await logFile.handle.close();
  const stop = async () => {
    await server.stop();
    await removeSocketFiles(socketFolder);
  };

  const connection = createEmbeddedConnectionSettings(socketFolder);
  try {
    await waitUntilDatabaseReady(connection, {
      isOver: server.isOver,
      onSlow: (seconds) => log.warn(`The database is not ready after ${seconds} seconds; still waiting`),
    });
    if (server.isOver())
      throw createEarlyExitError(await server.ended, await logFile.lastLines(), folder, takenFrom);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connection, stop, onExit: server.onExit };
}

/** Error for a database whose shared memory is still used by processes of an earlier server. */
class SharedMemoryInUseError extends Error {}

function createEarlyExitError(
  { code, signal }: ExitStatus,
  lastLines: string,
  folder: string,
  takenFrom: string | null,
): Error {
  if (lastLines.includes('pre-existing shared memory block'))
    return new SharedMemoryInUseError(
      `Processes of an earlier database server still use the database in ${folder}, and they could not be stopped ` +
        'from here. They are called postgres: end them, or restart the machine, then start Yangchen again.',
    );
  const why = takenFrom
    ? ` It was copied or moved from ${takenFrom} while the database ran there, so the copy may be incomplete. ` +
      'Stop Yangchen there, then copy its data folder again.'
    : '';
  return new PostgresStartError(
    `The database server ended while starting (${signal ?? `exit code ${code}`}).${why} Its last output:\n${lastLines}`,
  );
}

/** Allows another system user to reach the database through the data folder, but not to list that folder. */
async function allowTraversal(dataDir: string, { uid }: FolderOwner): Promise<void> {
  const now = await stat(dataDir);
  if (now.uid !== uid && (now.mode & 0o001) === 0) await chmod(dataDir, (now.mode & 0o7777) | 0o001);
}

/**
 * Changes the owner of root's database to the system user who will run it from now on, for example after it
 * was moved into a container. Doesn't follow symlinks, because in a copied folder they may point to another
 * user's files.
 */
async function changeOwner(folder: string, from: FolderOwner, to: FolderOwner): Promise<void> {
  if (from.uid === to.uid) return;
  const inside = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = inside.map(({ parentPath, name }) => join(parentPath, name));
  for (const path of [folder, ...paths]) await lchown(path, to.uid, to.gid);
}

/**
 * Returns the major version that created a database.
 * @throws PostgresStartError if the database is incomplete
 */
const readMajor = async (folder: string): Promise<string> =>
  (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(createNoDatabaseHandler(folder))).trim();

/**
 * Throws if another major version created the database. PostgreSQL's data format changes with each major version.
 */
function assertVersion(folder: string, made: string, version: number, { postgres }: PostgresBinaries) {
  if (made === String(version)) return;
  throw new PostgresStartError(
    `The database in ${folder} was made by PostgreSQL ${made}, and ${postgres} is PostgreSQL ${version}. ` +
      `Install the package postgresql-${made} of Debian or Ubuntu, or set PG_BIN_DIR to a folder with the programs of PostgreSQL ${made}.`,
  );
}

const createNoDatabaseHandler = (folder: string) => (cause: unknown) => {
  throw new PostgresStartError(
    `The database in ${folder} is incomplete. Restore it from a backup, or delete the folder if it never had any data.`,
    { cause },
  );
};

/**
 * Maximum size of the log in bytes. If the log is larger, the next start renames it to `<file>.1`, which
 * replaces the previous file of that name.
 */
const MAX_LOG_BYTES = 5 * 1024 * 1024;

type ServerLogFile = {
  /** Handle that the child process writes to. */
  handle: FileHandle;
  /** Returns the last lines that the child process has written, for an error message. */
  lastLines(): Promise<string>;
};

/**
 * Opens the database's log for appending, readable only by its owner. Rotates it first if it is too large.
 * The caller closes the handle.
 */
async function openLogFile(file: string): Promise<ServerLogFile> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
  const handle = await open(file, 'a', 0o600);
  const { size: from } = await handle.stat();
  return { handle, lastLines: () => readLastLines(file, from) };
}

async function readLastLines(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(from, size - 4096);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4096), position: start });
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-8).join('\n');
  } finally {
    await handle.close();
  }
}
