import type { FileHandle } from 'node:fs/promises';
import { CustomSource } from 'mediabunny';

/** A patched view of a file: other bytes at one offset, and truncated at `end`. */
export type Mended = { at: number; bytes: Uint8Array; end: number };

/** An open file as a mediabunny source; the caller closes the file. */
export async function sourceOf(file: FileHandle, mended: Mended | null): Promise<CustomSource> {
  const { size } = await file.stat();
  return new CustomSource({
    getSize: () => mended?.end ?? size,
    read: async (start, end) => {
      const bytes = new Uint8Array(end - start);
      await file.read(bytes, 0, bytes.length, start);
      if (mended) overlay(bytes, start, mended);
      return bytes;
    },
    prefetchProfile: 'fileSystem',
  });
}

function overlay(bytes: Uint8Array, start: number, mended: Mended): void {
  for (const [i, byte] of mended.bytes.entries()) {
    const position = mended.at + i - start;
    if (position >= 0 && position < bytes.length) bytes[position] = byte;
  }
}
