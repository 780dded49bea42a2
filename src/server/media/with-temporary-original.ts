import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createFolderDurably } from '../data-folder/fsync-folder.ts';
import { hashFile } from './hash-file.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import type { Staging } from './staging.ts';
import type { MediaStore } from './store.ts';

/** A stored audio file, as described by its row. */
export type OriginalSound = { name: string; size: number; sha256: string; durationMs: number | null };

/**
 * Runs `use`, such as a decoder, on a temporary copy of a stored file. Rejects a damaged file, because a file
 * derived from it would not be recognized as damaged.
 * @param alsoBytes additional disk space that `use` needs
 * @throws AppError 'storage-full' or 'unavailable'; Error if the file is missing or damaged
 */
export function withTemporaryOriginal<T>(
  { store, staging, disk }: { store: MediaStore; staging: Staging; disk: DiskSpaceMonitor },
  { name, size, sha256 }: OriginalSound,
  alsoBytes: number,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = staging.newPath();
  return disk.withReservedRoom(size + alsoBytes, async () => {
    try {
      await createFolderDurably(staging.folder);
      const opened = await store.open(name, { start: 0 });
      if (!opened) throw new Error('the sound is missing');
      await pipeline(opened.stream, createWriteStream(path, { mode: 0o600 }));
      const found = await hashFile(path);
      if (found.size !== size || found.sha256 !== sha256) throw new Error('the sound is damaged');
      return await use(path);
    } finally {
      await staging.discard({ path });
    }
  });
}
