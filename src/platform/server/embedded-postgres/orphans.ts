import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CannotStartPostgres } from './cannot-start.ts';
import { type Log } from './log.ts';
import { readPidFile } from './pid-file.ts';
import { removeSocketFolder } from './socket-folder.ts';

/**
 * Makes way for a new server in `folder`: one that outlived its parent is stopped and waited for, and the
 * files that name a process are removed. They have to go even when that process is dead, because its number
 * may belong to another by now, or to a zombie that nobody reaps (PID 1 of a container), and PostgreSQL takes
 * either for itself. The caller holds the data folder's lock, so no living Yangchen owns what is found.
 *
 * @param folder the database's folder, absolute, as it was given to the server.
 * @throws {CannotStartPostgres} when the server can't be stopped.
 */
export async function endOrphans(folder: string, log: Log): Promise<void> {
  const left = await readPidFile(folder);
  if (left && (await serves(left.pid, folder))) {
    log.warn(`A database server (process ${left.pid}) outlived its Yangchen: stopping it`);
    await end(left.pid, folder, ['SIGINT', 'SIGQUIT', 'SIGKILL']);
  }
  // A killed server's sessions see that it is gone only when their query ends, and write until then.
  for (const pid of await sessionsIn(folder)) await end(pid, folder, ['SIGQUIT', 'SIGKILL']);
  if (!left) return;
  await rm(join(folder, 'postmaster.pid'), { force: true });
  if (left.socketFolder) await removeSocketFolder(left.socketFolder);
}

/** How long each signal is given, in ms: a fast shutdown writes a checkpoint first. */
const patience = { SIGINT: 20_000, SIGQUIT: 10_000, SIGKILL: 10_000 };

async function end(pid: number, folder: string, signals: (keyof typeof patience)[]): Promise<void> {
  for (const signal of signals) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return;
      throw new CannotStartPostgres(
        `A database server (process ${pid}) still runs in ${folder} and belongs to another user. Stop it first.`,
        { cause: error },
      );
    }
    if (await gone(pid, patience[signal])) return;
  }
  throw new CannotStartPostgres(`A database server (process ${pid}) in ${folder} does not end.`);
}

async function gone(pid: number, within: number): Promise<boolean> {
  for (const until = Date.now() + within; Date.now() < until; await sleep(10))
    if ((await commandLine(pid)).length === 0) return true;
  return false;
}

/** Whether this process is a server of this very folder, and not another that got its number. */
async function serves(pid: number, folder: string): Promise<boolean> {
  if (!(pid > 0)) return false;
  const args = await commandLine(pid);
  return args.some((arg, at) => arg === folder && args[at - 1] === '-D');
}

/** Empty for a process that is gone, and for a zombie. */
async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter(Boolean);
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }));
  return /^\(.*\)$/.test(stdout.trim()) ? [] : stdout.trim().split(/ (?=-)|(?<=-D) /);
}

/** Processes of PostgreSQL that work in this folder. Linux only: elsewhere PostgreSQL's own check remains. */
async function sessionsIn(folder: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      if (name.trim() !== 'postgres') return null;
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      return place === folder ? Number(pid) : null;
    }),
  );
  return found.filter((pid) => pid !== null);
}
