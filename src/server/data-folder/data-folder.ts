import { mkdir, open, stat } from 'node:fs/promises';
import { AppError } from '#shared/errors.ts';
import type { Log } from '../log.ts';
import { getMediaFolder } from '../media/layout.ts';
import type { Settings } from '../config/settings.ts';

export type DataFolder = {
  /**
   * Resolves if the folders are still the same as when this process started. Logs when that changes.
   * @throws AppError 'unavailable' if one was moved or unmounted, even if there is now another folder at its
   * path
   */
  check(): Promise<void>;
  release(): Promise<void>;
};

/**
 * Opens the data folder, and the media folder inside it unless media are stored elsewhere. Creates missing
 * folders, but only at startup: a folder that is moved or unmounted while the program runs must not be
 * recreated at its path, because everything written there would be lost once the original folder reappears.
 */
export async function openDataFolder(
  { dataDir, s3 }: Pick<Settings, 'dataDir' | 's3'>,
  log: Pick<Log, 'error' | 'warn'>,
): Promise<DataFolder> {
  const held: OpenFolder[] = [];
  for (const path of s3 ? [dataDir] : [dataDir, getMediaFolder(dataDir)]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    held.push(await openFolder(path));
  }
  let isAway = false;
  return {
    async check() {
      const missing = await findMissing(held);
      if (missing && !isAway) log.error({ folder: missing.path }, FOLDER_MOVED);
      if (!missing && isAway) log.warn({ folder: dataDir }, 'the data folder is back');
      isAway = missing !== undefined;
      if (missing) throw new AppError('unavailable', STORAGE_UNREACHABLE_MESSAGE);
    },
    async release() {
      await Promise.all(held.map(({ handle }) => handle.close()));
    },
  };
}

async function openFolder(path: string) {
  // The handle stays open, so that no other folder can reuse the inode.
  const handle = await open(path, 'r');
  const { dev, ino } = await handle.stat({ bigint: true });
  return { path, handle, dev, ino };
}

type OpenFolder = Awaited<ReturnType<typeof openFolder>>;

async function findMissing(held: OpenFolder[]) {
  const found = await Promise.all(held.map(({ path }) => stat(path, { bigint: true }).catch(() => null)));
  return held.find(({ dev, ino }, i) => found[i]?.dev !== dev || found[i].ino !== ino);
}

const FOLDER_MOVED =
  'the folder is not the one this program started with; it was moved, or its disk was unmounted; uploads are refused until it is back';

export const STORAGE_UNREACHABLE_MESSAGE =
  'The server can’t reach its storage at the moment. Everything saved is safe, but nothing new can be saved. Please try again in a few minutes, and report it if this keeps happening.';
