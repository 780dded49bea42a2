import { constants, createReadStream } from 'node:fs';
import { copyFile, link, open, readdir, rm, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createFolderDurably, fsyncFolder } from '../data-folder/fsync-folder.ts';
import type { StagedFile, Staging } from './staging.ts';

export type PartialFiles = ReturnType<typeof openPartialFiles>;

/**
 * Opens a folder for files that arrive in chunks. It is on the same disk as the staging folder. Each file has
 * a row with the number of valid bytes. The caller must prevent concurrent writes.
 * @param folder path of the folder, whose parent must exist
 * @param assertOwnFolder throws AppError 'unavailable' if the data folder is missing or has been replaced
 */
export function openPartialFiles(folder: string, staging: Staging, assertOwnFolder: () => Promise<void>) {
  const pathOf = (name: string) => join(folder, name);

  /** Returns the size of a file in bytes; 0 if there is no such file. */
  const sizeOf = async (name: string): Promise<number> =>
    (await stat(pathOf(name)).catch(nullIfMissing))?.size ?? 0;

  return {
    sizeOf,

    /**
     * Writes a chunk, which is durable when this resolves. Writing at position 0 starts the file over.
     * @returns false, without writing anything, if the file is missing or ends before `start`
     */
    async write(name: string, start: number, bytes: Uint8Array): Promise<boolean> {
      if (start === 0) await createFolderDurably(folder);
      const flags = start === 0 ? constants.O_CREAT | constants.O_TRUNC : 0;
      const file = await open(pathOf(name), constants.O_WRONLY | flags, 0o600).catch(nullIfMissing);
      if (!file) return false;
      try {
        if (start > 0 && (await file.stat()).size < start) return false;
        // Repeats the write until all bytes are written, because a nearly full disk may accept only some of
        // them.
        for (let written = 0; written < bytes.length;)
          written += (await file.write(bytes, written, bytes.length - written, start + written)).bytesWritten;
        await file.datasync();
      } finally {
        await file.close();
      }
      if (start === 0) await fsyncFolder(folder);
      // Checks the folder after the write. Otherwise, if it was replaced, the bytes would be acknowledged but
      // missing after a restart.
      await assertOwnFolder();
      return true;
    },

    /**
     * Stages a complete file. The partial file stays, so that the caller can retry if storing the staged file
     * fails.
     * @returns null if the file's size is not `size`
     */
    async stage(name: string, size: number): Promise<StagedFile | null> {
      if ((await sizeOf(name)) !== size) return null;
      await createFolderDurably(staging.folder);
      const path = staging.newPath();
      // Stages the file as a hard link. Copies the bytes if the file system has no hard links.
      await link(pathOf(name), path).catch(() => copyFile(pathOf(name), path, constants.COPYFILE_FICLONE));
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES }))
        hash.update(chunk as Buffer);
      return { path, size, sha256: hash.digest('hex') };
    },

    /** Deletes a file. A no-op if there is no such file. */
    remove: (name: string) => rm(pathOf(name), { force: true }),

    /** Returns the names of all files. */
    list: (): Promise<string[]> => readdir(folder).catch(() => []),
  };
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

const READ_BYTES = 256 * 1024;
