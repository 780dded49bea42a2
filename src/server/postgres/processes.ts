import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ServerLockFile } from './pid-file.ts';

/** Tolerance for start times, in seconds. The clock may have been adjusted, and the machine may be slow. */
const START_TOLERANCE_SECONDS = 10;

/**
 * Returns whether the process named in a pid file is alive and is the server of this very folder. The file is
 * no proof: if the folder was copied while its server ran, the file names the original's server, and the pid
 * may have been reused by now. A server's working directory is its data folder, which can be identified even
 * after a move or through a symlink. If the working directory can't be read (a process of another system
 * user, or not Linux), the path argument of the process must resolve to the folder, and its start time must
 * match the file.
 */
export async function isServerOfFolder(said: ServerLockFile, folder: string): Promise<boolean> {
  if (!(said.pid > 0)) return false;
  const args = await readCommandLine(said.pid);
  const given = args[args.indexOf('-D') + 1];
  if (!args.includes('-D') || given === undefined) return false;
  const place = await getFolderIdentity(`/proc/${said.pid}/cwd`);
  if (place !== null) return place === (await getFolderIdentity(folder));
  const startedAt = await getStartTime(said.pid);
  return (
    (await isSameFolder(given, folder)) && Math.abs(startedAt - said.startedAt) <= START_TOLERANCE_SECONDS
  );
}

/**
 * Returns the pids of PostgreSQL processes whose working directory is this folder. On systems other than
 * Linux, returns an empty list, and only PostgreSQL's own check protects the folder.
 */
export async function findPostgresProcessesIn(folder: string): Promise<number[]> {
  const wanted = await getFolderIdentity(folder);
  if (process.platform !== 'linux' || wanted === null) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      return name.trim() === 'postgres' && (await getFolderIdentity(`/proc/${pid}/cwd`)) === wanted;
    }),
  );
  return pids.filter((_, at) => found[at]).map(Number);
}

/** Returns the command line of a process. It is empty for a dead process or a zombie. */
export async function readCommandLine(pid: number): Promise<string[]> {
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter(Boolean);
  const said = await runPs(pid, 'command=');
  return /^\(.*\)$/.test(said) ? [] : said.split(/ (?=-)|(?<=-D) /).filter(Boolean);
}

/**
 * Returns whether a process still exists. A zombie doesn't count, because it has released everything but its
 * pid. Doesn't rely on the command line: the kernel empties it while the dying process still has its memory.
 */
export async function isProcessRunning(pid: number): Promise<boolean> {
  const [state = ''] = process.platform === 'linux' ? await readProcStat(pid) : [await runPs(pid, 'state=')];
  return state !== '' && !/^[ZX]/.test(state);
}

/** Returns whether two paths resolve to the same folder, through any links and mounts. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const identity = await getFolderIdentity(one);
  return identity !== null && identity === (await getFolderIdentity(other));
}

/**
 * Returns the device and inode of a folder, because its path may change and it may have several paths. Returns
 * null if the folder doesn't exist or can't be accessed.
 */
async function getFolderIdentity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${found.dev}:${found.ino}`;
}

/** Returns the start time of a process as Unix time in seconds; NaN for a dead process. */
async function getStartTime(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Date.parse(await runPs(pid, 'lstart=')) / 1000;
  const [, boot = ''] = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'utf8')) ?? [];
  // Divides by 100, because the kernel reports hundredths of a second here, whatever its tick rate.
  return Number(boot) + Number((await readProcStat(pid))[19]) / 100;
}

/**
 * Returns the fields of `/proc/PID/stat` after the process name, which is in parentheses and may contain
 * spaces. The first field is empty if the process doesn't exist.
 */
async function readProcStat(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return (text.split(') ').at(-1) ?? '').split(' ');
}

async function runPs(pid: number, column: string): Promise<string> {
  const asked = promisify(execFile)('ps', ['-p', String(pid), '-o', column], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
  return asked.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
