import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDiskStore } from '#server/media/disk-store.ts';
import type { MediaStore } from '#server/media/store.ts';

/** A media store as the operator sees and changes it; paths are relative to the media folder. */
export type RawMediaStorage = {
  /** Opens the store as another process would. */
  open(): MediaStore;
  read(path: string): Promise<Buffer>;
  write(path: string, content: string | Buffer): Promise<void>;
  remove(path: string): Promise<void>;
  /** Returns the names of the files in a folder; null if there is no such folder. */
  namesIn(folder: string): Promise<string[] | null>;
};

export const createRawDiskStorage = (folder: string): RawMediaStorage => ({
  open: () => openDiskStore(folder, () => Promise.resolve()),
  read: (path) => readFile(join(folder, path)),
  async write(path, content) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  },
  remove: (path) => rm(join(folder, path)),
  namesIn: (path) => readdir(join(folder, path)).catch(() => null),
});
