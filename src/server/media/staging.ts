import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors.ts';
import type { UploadSlot } from '#shared/media.ts';
import { createFolderDurably } from '../data-folder/fsync-folder.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';

/** An uploaded file that has not been stored yet. */
export type StagedFile = { path: string; size: number; sha256: string };

export type Staging = ReturnType<typeof openStaging>;

/**
 * Opens the folder in which uploads wait to be inspected and accepted. It is on the same disk as the media
 * folder, so that a rename is enough to store a file.
 * @param assertOwnFolder throws AppError 'unavailable' if the data folder is missing or has been replaced
 */
export function openStaging(folder: string, disk: DiskSpaceMonitor, assertOwnFolder: () => Promise<void>) {
  /**
   * Deletes a staged file. Leaves it to the sweep if that fails, because the caller may already have sent its
   * response.
   */
  const discard = (file: { path: string }) => rm(file.path, { force: true }).catch(() => undefined);

  async function write(stream: Readable, slot: UploadSlot): Promise<StagedFile> {
    await assertOwnFolder();
    await createFolderDurably(folder);
    const path = join(folder, randomUUID());
    const hash = createHash('sha256');
    let size = 0;
    try {
      await pipeline(
        stream,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            size += chunk.length;
            // Reads and discards the rest, for the reason given at `enforceBodyTimeout`.
            if (size >= slot.tooLargeFrom) continue;
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(path, { mode: 0o600 }),
      );
      if (size >= slot.tooLargeFrom) throw new AppError('too-large', slot.tooLargeMessage);
      return { path, size, sha256: hash.digest('hex') };
    } catch (error) {
      await discard({ path });
      throw error;
    }
  }

  return {
    folder,

    /**
     * Writes a stream to a staged file.
     * @param announced maximum size of the file in bytes, if declared
     * @throws AppError 'too-large', 'storage-full' (before anything is written) or 'unavailable'; in all of
     * these cases, no file is left
     */
    receive(stream: Readable, slot: UploadSlot, announced = Infinity): Promise<StagedFile> {
      const most = Math.min(announced, slot.tooLargeFrom);
      return disk.withReservedRoom(most, () => write(stream, slot));
    },

    /** Returns a new path in the folder, for a file derived from a staged file. */
    newPath: () => join(folder, randomUUID()),

    discard,

    /**
     * Deletes files that a crash left here before `cutoff`.
     * @returns the number of deleted files
     */
    async sweep(cutoff: Date): Promise<number> {
      const names = await readdir(folder).catch(() => []);
      let removed = 0;
      for (const name of names) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        // Compares the time of the last change to the inode, because a complete upload is staged as a hard
        // link, long after its content was last modified.
        if (found && found.ctime < cutoff) {
          await rm(path, { force: true });
          removed += 1;
        }
      }
      return removed;
    },
  };
}
