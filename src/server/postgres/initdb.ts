import { execFile } from 'node:child_process';
import { chown, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './binaries.ts';
import { PostgresStartError } from './postgres-start-error.ts';
import { buildCommandLine, type RunAsOptions } from './run-as.ts';

/** The only role of the embedded server, a superuser. */
export const DATABASE_USER = 'yangchen';

const UNFINISHED_PREFIX = 'postgres.new-';

/**
 * Initializes an empty database cluster in `<dataDir>/postgres`. Creates it under a temporary name and then
 * renames it, so that a first start that is killed leaves nothing that looks complete. Before that, removes the
 * leftovers of killed starts.
 * @throws PostgresStartError with initdb's output as its cause
 */
export async function createCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  runAs: RunAsOptions,
  version: number,
): Promise<void> {
  await removeUnfinished(dataDir);
  const folder = await mkdtemp(join(dataDir, UNFINISHED_PREFIX));
  if (runAs.owner) await chown(folder, runAs.owner.uid, runAs.owner.gid);
  await runInitdb(folder, binaries, runAs, version);
  await rename(folder, join(dataDir, 'postgres'));
  await syncFolder(dataDir);
}

/**
 * Removes leftovers of killed starts. Retries, because an initdb whose parent was just killed may still be
 * writing its last file.
 */
async function removeUnfinished(dataDir: string): Promise<void> {
  const left = (await readdir(dataDir)).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  for (const name of left) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20 });
}

async function runInitdb(
  folder: string,
  binaries: PostgresBinaries,
  runAs: RunAsOptions,
  version: number,
): Promise<void> {
  const settings = [
    `--pgdata=${folder}`,
    `--username=${DATABASE_USER}`,
    // Requires no password, because there is no port, and other system users can't open the socket's folder.
    '--auth=trust',
    '--encoding=UTF8',
    ...getLocaleOptions(version),
    '--data-checksums',
    '--no-instructions',
  ];
  // Kills initdb if this process dies. On SIGINT, initdb would clean up, and race with the cleanup of the next
  // start.
  const { file, args, options } = buildCommandLine(runAs, binaries.initdb, settings, 'KILL');
  try {
    await promisify(execFile)(file, args, { ...options, env: { ...binaries.env, TZ: 'UTC' } });
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    throw new PostgresStartError(`The database could not be created in ${folder}.`, {
      cause: stderr === '' ? error : new Error(stderr, { cause: error }),
    });
  }
}

/**
 * Returns the locale options. From PostgreSQL 17 on, the locale is the built-in C.UTF-8, which handles upper
 * and lower case in every script, identically on every machine. Older versions get C, because their other
 * locales depend on the machine. In C, `lower()` and `ILIKE` handle only A–Z.
 */
const getLocaleOptions = (version: number) =>
  version >= 17 ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--locale=C'];

/** Fsyncs a folder. A rename survives a power cut only after its parent folder has been fsynced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
