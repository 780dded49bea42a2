import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresStartError } from './postgres-start-error.ts';
import { type PostgresLog } from './log.ts';
import { readPidFile } from './pid-file.ts';
import { isProcessRunning, isSameFolder, findPostgresProcessesIn, isServerOfFolder } from './processes.ts';
import { removeStaleSocket } from './socket-folder.ts';

/**
 * Prepares a folder for a new server: stops an orphaned server, waits for it to exit, and removes stale pid
 * and lock files. These files must be removed even if their process is dead. If its pid has been reused, or
 * belongs to a zombie that PID 1 of a container doesn't reap, PostgreSQL would assume that a server is
 * running. The caller must hold the lock of the data folder, which proves that no living Yangchen owns these
 * processes and files. If the folder was copied while its server ran, these files name the original's server.
 * That server keeps running, and its socket is not removed.
 * @param folder the database's folder, as an absolute path
 * @returns `takenFrom`: path at which a server was using this folder when it was copied or moved; null if
 * there is no sign of that
 * @throws PostgresStartError if the server can't be stopped
 */
export async function stopOrphanedServers(
  folder: string,
  log: PostgresLog,
): Promise<{ takenFrom: string | null }> {
  const left = await readPidFile(folder);
  if (left && (await isServerOfFolder(left, folder))) {
    log.warn(`A database server (process ${left.pid}) outlived its Yangchen: stopping it`);
    await endProcess(left.pid, folder, ['SIGINT', 'SIGQUIT', 'SIGKILL']);
  }
  // Ends sessions that are still running a query although their server was killed. They notice that only when
  // the query ends, and until then they may still write.
  for (const pid of await findPostgresProcessesIn(folder))
    await endProcess(pid, folder, ['SIGQUIT', 'SIGKILL']);
  if (!left) return { takenFrom: null };
  await rm(join(folder, 'postmaster.pid'), { force: true });
  await removeStaleSocket(left, folder);
  return { takenFrom: (await isSameFolder(left.folder, folder)) ? null : left.folder };
}

/**
 * Timeout for each signal, in ms. SIGINT gets the longest one, because it starts a fast shutdown, which writes
 * a checkpoint.
 */
const SIGNAL_TIMEOUTS_MS = { SIGINT: 20_000, SIGQUIT: 10_000, SIGKILL: 10_000 };

async function endProcess(
  pid: number,
  folder: string,
  signals: (keyof typeof SIGNAL_TIMEOUTS_MS)[],
): Promise<void> {
  for (const signal of signals) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return;
      throw new PostgresStartError(
        `A database server (process ${pid}) still runs in ${folder} and belongs to another user. Stop it first.`,
        { cause: error },
      );
    }
    if (await waitForExit(pid, SIGNAL_TIMEOUTS_MS[signal])) return;
  }
  throw new PostgresStartError(
    `The database server in ${folder} (process ${pid}) could not be stopped. Stop that process, then start Yangchen again.`,
  );
}

async function waitForExit(pid: number, within: number): Promise<boolean> {
  for (const until = Date.now() + within; Date.now() < until; await sleep(10))
    if (!(await isProcessRunning(pid))) return true;
  return false;
}
