import { readdir, readFile } from 'node:fs/promises';
import { processesNaming, type Program } from './program.ts';

const MS_PER_TICK = 10;

/** CPU time in ms that a process has used, with its children that have exited. */
export async function cpuMsOf(pid: number): Promise<number> {
  return cpuMs(await statOf(pid));
}

/** CPU time in ms of the program, its database, and every process of theirs, including those that have exited. */
export async function cpuMsOfAll({ child, dataDir }: Program): Promise<number> {
  const roots = new Set([child.pid!, ...(await processesNaming(dataDir))]);
  let used = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = await statOf(Number(name));
    if (roots.has(Number(name)) || roots.has(Number(fields[1]))) used += cpuMs(fields);
  }
  return used;
}

/** Resident memory in MiB; with `VmHWM`, the most that it ever was. */
export async function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

/** Fields of /proc/<pid>/stat from the third on, which follow the name in parentheses; empty if there is no process. */
async function statOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const cpuMs = (fields: string[]) =>
  [11, 12, 13, 14].reduce((ticks, field) => ticks + Number(fields[field] ?? 0), 0) * MS_PER_TICK;
