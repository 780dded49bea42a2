import { readdir, readFile } from 'node:fs/promises';
import { processesNaming, type Program } from '../src/testing/program.ts';

/** In what unit Linux counts CPU time. */
const TICKS_PER_SECOND = 100;

/** CPU time in ms that a process has used, and those of its children that have exited; 0 if there is no such process. */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return fields ? msOf(fields, [11, 12, 13, 14]) : 0;
}

/**
 * CPU time in ms of the whole program: its process, its database, and every process of theirs, including those that
 * have exited.
 */
export async function cpuMsOfAll(program: Program): Promise<number> {
  const { server, database, decoders } = await cpuMsOfEach(program);
  return server + database + decoders;
}

/** The same by part: the program's own process, its database, and what the program started besides. */
export async function cpuMsOfEach({ child, dataDir }: Program) {
  const databases = new Set(await processesNaming(dataDir));
  const used = { server: 0, database: 0, decoders: 0 };
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = await statOf(Number(name));
    if (!fields) continue;
    const [pid, parent] = [Number(name), Number(fields[1])];
    const [own, ofExited] = [msOf(fields, [11, 12]), msOf(fields, [13, 14])];
    if (pid === child.pid) {
      used.server += own;
      used.decoders += ofExited;
    } else if (databases.has(pid)) used.database += own + ofExited;
    else if (databases.has(parent)) used.database += own;
    else if (parent === child.pid) used.decoders += own;
  }
  return used;
}

/** Resident memory in MiB; with `VmHWM`, the most that it ever was. */
export async function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

/** Fields of /proc/<pid>/stat from the third on, which follow the name in parentheses; null if there is no process. */
async function statOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const msOf = (fields: string[], which: number[]) =>
  (which.reduce((ticks, field) => ticks + Number(fields[field]), 0) * 1000) / TICKS_PER_SECOND;
