import { constants, createReadStream } from 'node:fs';
import { copyFile, link, open, readdir, rm, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder, syncFolder } from '../data-folder/sync-folder.ts';
import type { StagedFile, Staging } from './staging.ts';

export type PartialFiles = ReturnType<typeof openPartialFiles>;

/**
 * A folder of files that arrive chunk by chunk, in a local folder on the same disk as the staging folder. Each belongs
 * to a row that says how many of its bytes count; the caller keeps others from writing at the same time.
 * @param folder its parent has to exist
 * @param mustBeOurs throws AppError 'unavailable' when something else is at the path of its parent folder
 */
export function openPartialFiles(folder: string, staging: Staging, mustBeOurs: () => Promise<void>) {
  const pathOf = (name: string) => join(folder, name);

  /** How many bytes there are; 0 if there is no such file. */
  const sizeOf = async (name: string): Promise<number> =>
    (await stat(pathOf(name)).catch(nullIfMissing))?.size ?? 0;

  return {
    sizeOf,

    /**
     * Writes a chunk, which is durable when this resolves. A file begins with what is written at 0.
     * @returns false if the file ends before `start`, and nothing was written
     */
    async write(name: string, start: number, bytes: Uint8Array): Promise<boolean> {
      if (start === 0) await makeFolder(folder);
      const flags = start === 0 ? constants.O_CREAT | constants.O_TRUNC : 0;
      const file = await open(pathOf(name), constants.O_WRONLY | flags, 0o600).catch(nullIfMissing);
      if (!file) return false;
      try {
        if (start > 0 && (await file.stat()).size < start) return false;
        // A disk that is nearly full may take a part.
        for (let written = 0; written < bytes.length;)
          written += (await file.write(bytes, written, bytes.length - written, start + written)).bytesWritten;
        await file.datasync();
      } finally {
        await file.close();
      }
      if (start === 0) await syncFolder(folder);
      // Whatever was moved meanwhile: what is acknowledged must be where the next start looks for it.
      await mustBeOurs();
      return true;
    },

    /**
     * The first `size` bytes of a file as a staged file, while the file itself stays, so that whoever fails to store the
     * staged one can come again.
     * @returns null if it has another length
     */
    async stage(name: string, size: number): Promise<StagedFile | null> {
      if ((await sizeOf(name)) !== size) return null;
      await makeFolder(staging.folder);
      const path = staging.newPath();
      // A second name for the same bytes; a file system that has none copies them.
      await link(pathOf(name), path).catch(() => copyFile(pathOf(name), path, constants.COPYFILE_FICLONE));
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES }))
        hash.update(chunk as Buffer);
      return { path, size, sha256: hash.digest('hex') };
    },

    /** A no-op if there is no such file. */
    remove: (name: string) => rm(pathOf(name), { force: true }),

    /** The names of all files. */
    list: (): Promise<string[]> => readdir(folder).catch(() => []),
  };
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

const READ_BYTES = 256 * 1024;
