import { open, rename, stat, type FileHandle } from 'node:fs/promises';

/** In bytes; a longer log is rotated to `<file>.1` at the next start, replacing the previous one. */
const largest = 5 * 1024 * 1024;

export type LogFile = {
  /** For the child to write to. */
  handle: FileHandle;
  /** The last lines written since it was opened, for an error message. */
  lastLines(): Promise<string>;
};

/** Opens the database's log for appending; readable by its owner only. The caller closes the handle. */
export async function openLogFile(file: string): Promise<LogFile> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > largest) await rename(file, `${file}.1`);
  const handle = await open(file, 'a', 0o600);
  const { size: from } = await handle.stat();
  return { handle, lastLines: () => lastLines(file, from) };
}

async function lastLines(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(from, size - 4096);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4096), position: start });
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-8).join('\n');
  } finally {
    await handle.close();
  }
}
