import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDiskStore } from '#server/media/disk.ts';
import type { MediaStore } from '#server/media/store.ts';

/** Where media are, as the operator sees and changes it; paths as in the media folder. */
export type MediaPlace = {
  /** As another process has it. */
  open(): MediaStore;
  read(path: string): Promise<Buffer>;
  write(path: string, content: string | Buffer): Promise<void>;
  remove(path: string): Promise<void>;
  /** The names of the files in a folder; null if there is no such folder. */
  namesIn(folder: string): Promise<string[] | null>;
};

export const placeOnDisk = (folder: string): MediaPlace => ({
  open: () => openDiskStore(folder, () => Promise.resolve()),
  read: (path) => readFile(join(folder, path)),
  async write(path, content) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  },
  remove: (path) => rm(join(folder, path)),
  namesIn: (path) => readdir(join(folder, path)).catch(() => null),
});
