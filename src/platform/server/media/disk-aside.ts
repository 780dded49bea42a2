import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../sync-folder.ts';
import type { SetAside } from './store.ts';

/** In the media folder, so that it is on the same disk and in the same backup. */
export const ASIDE = 'set-aside';

/** Files set aside, in a folder per day. */
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
      await rename(pathOf(name), join(folder, day, name));
      await syncFolder(join(folder, day));
    },

    async *list() {
      for (const day of await days()) yield* await namesIn(join(folder, day));
    },

    async restore(name) {
      for (const day of await days()) {
        const found = await stat(join(folder, day, name)).catch(() => null);
        if (!found) continue;
        await makeFolder(dirname(pathOf(name)));
        await rename(join(folder, day, name), pathOf(name));
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

const DAY = /^\d{4,6}-\d\d-\d\d$/;

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
