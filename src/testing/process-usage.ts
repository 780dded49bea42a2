import { readdir, readFile } from 'node:fs/promises';
import { findProcessIdsByFolder, type RunningProgram } from './program.ts';

const MS_PER_TICK = 10;

/** Returns the CPU time in ms of a process and its children that have exited. */
export async function getCpuMs(pid: number): Promise<number> {
  return cpuMs(await readProcStat(pid));
}

/** Returns the CPU time in ms of the program, its database and all their children, including those that have exited. */
export async function getProgramCpuMs({ child, dataDir }: RunningProgram): Promise<number> {
  const roots = new Set([child.pid!, ...(await findProcessIdsByFolder(dataDir))]);
  let used = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = await readProcStat(Number(name));
    if (roots.has(Number(name)) || roots.has(Number(fields[1]))) used += cpuMs(fields);
  }
  return used;
}

/** Returns the resident memory in MiB; with `VmHWM`, its peak. */
export async function getMemoryMiB(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

/**
 * Returns the fields of /proc/<pid>/stat from the third on, after the name in parentheses; empty if the process
 * has ended.
 */
async function readProcStat(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const cpuMs = (fields: string[]) =>
  [11, 12, 13, 14].reduce((ticks, field) => ticks + Number(fields[field] ?? 0), 0) * MS_PER_TICK;
