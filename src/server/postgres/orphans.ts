import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresStartError } from './postgres-start-error.ts';
import { type Log } from './log.ts';
import { readPidFile } from './pid-file.ts';
import { isRunning, isSameFolder, findProcessesIn, isServerOf } from './processes.ts';
import { removeStaleSocket } from './socket-folder.ts';

/**
 * Prepares for a new server in `folder`: stops an orphaned server and waits for it to exit, then removes stale pid
 * and lock files. These must be removed even if that process is dead, because PostgreSQL would take a reused pid, or
 * that of a zombie nobody reaps (PID 1 of a container), for a running server. The caller has the data folder's lock,
 * so no living Yangchen owns the processes and files found.
 *
 * In a copy of a running folder, those files name the original's server, which is not ours. It is neither stopped
 * nor cut off from its socket.
 * @param folder the database's folder, absolute
 * @returns `takenFrom`: the folder that was being served when this one was copied or moved; null if it is this one
 * @throws {PostgresStartError} if the server can't be stopped
 */
export async function endOrphans(folder: string, log: Log): Promise<{ takenFrom: string | null }> {
  const left = await readPidFile(folder);
  if (left && (await isServerOf(left, folder))) {
    log.warn(`A database server (process ${left.pid}) outlived its Yangchen: stopping it`);
    await endProcess(left.pid, folder, ['SIGINT', 'SIGQUIT', 'SIGKILL']);
  }
  // Sessions of a killed server notice only when their query ends, and continue to write until then.
  for (const pid of await findProcessesIn(folder)) await endProcess(pid, folder, ['SIGQUIT', 'SIGKILL']);
  if (!left) return { takenFrom: null };
  await rm(join(folder, 'postmaster.pid'), { force: true });
  await removeStaleSocket(left, folder);
  return { takenFrom: (await isSameFolder(left.folder, folder)) ? null : left.folder };
}

/** Timeout for each signal, in ms. A fast shutdown writes a checkpoint first. */
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
    if (!(await isRunning(pid))) return true;
  return false;
}
