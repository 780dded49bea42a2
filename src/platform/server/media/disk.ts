import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import type { MediaStore } from './store.ts';

/** Read in pieces of this many bytes; stock 64 KiB costs several times the CPU for media. */
const READ_BUFFER = 256 * 1024;

/** Media in a local folder, spread over 256 subfolders by the first two characters of their names. */
export function openDiskStore(folder: string): MediaStore {
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    async publish(stagedPath, name) {
      const path = pathOf(name);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      if (made) await Promise.all([syncFolder(folder), syncFolder(dirname(made))]);
      await syncFile(stagedPath);
      await rename(stagedPath, path);
      await syncFolder(dirname(path));
    },

    async open(name, { start, end }) {
      const stream = createReadStream(pathOf(name), { start, end, highWaterMark: READ_BUFFER });
      try {
        await once(stream, 'open');
        return stream;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },

    async remove(name) {
      await rm(pathOf(name), { force: true });
    },

    async *list() {
      for (const group of await subfolders(folder)) {
        for await (const entry of await opendir(join(folder, group))) {
          const found = await stat(join(folder, group, entry.name)).catch(() => null);
          if (found?.isFile()) yield { name: entry.name, publishedAt: found.ctime };
        }
      }
    },

    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
    },
  };
}

async function subfolders(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) if (entry.isDirectory()) names.push(entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return names;
}

async function syncFile(path: string) {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
