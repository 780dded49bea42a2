import type { FileHandle } from 'node:fs/promises';

const WINDOW_BYTES = 65_536;

/**
 * Creates a function that serves small reads at increasing positions from a larger buffer. Each result is valid
 * until the next call, and is shorter than `length` only at the end of the file.
 */
export function createBufferedReader(file: FileHandle): (at: number, length: number) => Promise<Buffer> {
  const bytes = Buffer.alloc(WINDOW_BYTES);
  let start = 0;
  let end = 0;
  return async (at, length) => {
    if (at < start || at + length > end) {
      end = at + (await file.read(bytes, 0, WINDOW_BYTES, at)).bytesRead;
      start = at;
    }
    return bytes.subarray(at - start, Math.min(end, at + length) - start);
  };
}
