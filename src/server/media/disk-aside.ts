import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../data-folder/sync-folder.ts';
import { ASIDE, DAY } from './layout.ts';
import type { SetAside } from './store.ts';

/** Files set aside, in the media folder: on the same disk and in the same backup. */
export function setAsideIn(mediaFolder: string, pathOf: (name: string) => string): SetAside {
  const folder = join(mediaFolder, ASIDE);
  const days = async () => (await namesIn(folder)).filter((name) => DAY.test(name)).sort();

  return {
    async begin(day) {
      await makeFolder(folder);
      await makeFolder(join(folder, day));
    },

    days,

    async put(name, day) {
      if (!(await renamed(pathOf(name), join(folder, day, name)))) return false;
      await syncFolder(join(folder, day));
      return true;
    },

    async *list() {
      for (const day of await days()) yield* await namesIn(join(folder, day));
    },

    async restore(name) {
      if (await stat(pathOf(name)).catch(() => null)) return false;
      for (const day of await days()) {
        const found = await stat(join(folder, day, name)).catch(() => null);
        if (!found) continue;
        await makeFolder(dirname(pathOf(name)));
        // Another may restore it at the same moment.
        if (!(await renamed(join(folder, day, name), pathOf(name)))) continue;
        await syncFolder(dirname(pathOf(name)));
        return true;
      }
      return false;
    },

    async forget(day) {
      if (DAY.test(day)) await rm(join(folder, day), { recursive: true, force: true });
    },
  };
}

/** @returns false if there is no such file */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
