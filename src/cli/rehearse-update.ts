import { execFile } from 'node:child_process';
import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withScratchFolder } from '#app/server/restore-test-folder.ts';
import { prepareDataFolder } from '#server/data-folder/data-folder-access.ts';
import { DataFolderInUseError, lockDataFolder } from '#server/data-folder/data-folder-lock.ts';
import type { Log } from '#server/log.ts';
import { getMediaFolder } from '#server/media/layout.ts';
import { stopOrphanedServers } from '#server/postgres/orphans.ts';
import type { Settings } from '#server/config/settings.ts';

/** Maximum time from listening until the server is ready. */
const READY_TIMEOUT_MS = 60_000;

/**
 * Starts this version with a copy of the embedded database, checks that it is ready, and stops it. `npm run update` of
 * the previous version runs this command before it installs this version. The server is on a random port of this
 * machine and does no background work, so that it changes no files and sends no emails. With `DATABASE_URL`, the copy
 * is an empty database, so only the program itself is checked.
 */
export async function runRehearsalCommand(_: string[], settings: Settings, log: Log): Promise<string> {
  const { dataDir, databaseUrl } = settings;
  await prepareDataFolder(dataDir);
  const lock = databaseUrl === null ? lockStopped(dataDir) : null;
  try {
    await withScratchFolder(dataDir, log, async (scratch) => {
      await mkdir(scratch, { mode: 0o700 });
      const own = { dataDir: scratch, host: '127.0.0.1', port: 0, backupDir: null };
      if (databaseUrl !== null) {
        const without = { databaseUrl: null, s3: null, mediaRedirect: null, mediaAccel: null };
        return checkReadiness({ ...settings, ...own, ...without }, log);
      }
      await copyDatabase(dataDir, scratch, log);
      if (!settings.s3) await symlink(getMediaFolder(dataDir), getMediaFolder(scratch));
      await checkReadiness({ ...settings, ...own }, log);
    });
  } finally {
    lock?.release();
  }
  return databaseUrl === null
    ? 'The new version started with a copy of the database.'
    : 'The new version started with an empty database.';
}

function lockStopped(dataDir: string) {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    throw new Error('Stop Yangchen before you update it, for example with: systemctl stop yangchen', {
      cause: error,
    });
  }
}

/** Copies the database of a stopped program. */
async function copyDatabase(dataDir: string, scratch: string, log: Log) {
  const folder = join(dataDir, 'postgres');
  if (!(await stat(folder).catch(() => null)))
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR and DATABASE_URL as for the program.`);
  await stopOrphanedServers(folder, log);
  // -L copies what links point to, so that a database whose write-ahead log is on another disk doesn't share it with
  // its copy.
  await promisify(execFile)('cp', ['-RLp', folder, join(scratch, 'postgres')]);
}

async function checkReadiness(settings: Settings, log: Log) {
  // Imported on demand, because the other commands don't need the server.
  const { builtWebFrontend, startServer } = await import('#app/server/start.ts');
  const running = await startServer(settings, log, builtWebFrontend, { isRehearsal: true });
  try {
    const until = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      const { status } = await fetch(`${running.url}/api/ready`);
      if (status === 200) return;
      if (Date.now() > until) throw new Error(`The new version started, but isn’t ready (status ${status}).`);
      await sleep(500);
    }
  } finally {
    await running.close();
  }
}
