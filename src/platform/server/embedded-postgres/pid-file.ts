import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Lines of `postmaster.pid`: process, data folder, start, port, socket folder, … */
export async function readPidFile(folder: string): Promise<{ pid: number; socketFolder: string } | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number.parseInt(lines[0] ?? '', 10), socketFolder: lines[4]?.trim() ?? '' };
}
