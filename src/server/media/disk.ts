import { close, constants, createReadStream, fstat, open as openFile, read as readBytes } from 'node:fs';
import { access, open, readdir, rename, rm, stat, link, readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { makeFolder, syncFolder } from '../data-folder/sync-folder.ts';
import { WrongPair } from '../data-folder/installation-mismatch-error.ts';
import { digestOf } from './digest.ts';
import { isName, pathOf as pathIn, INSTALLATION, isInstallationId, ASIDE, DAY } from './layout.ts';
import type { MediaStore, SetAside } from './store.ts';

/** Bytes per read. With the default 64 KiB, media cost several times the CPU. */
const READ_BUFFER = 256 * 1024;

// With numeric descriptors instead of `FileHandle`: creating an object with a finalizer for each part of a song
// costs more than reading its bytes.
const opening = promisify(openFile);
const statOf = promisify(fstat);
const reading = promisify(readBytes);
const closing = promisify(close);

/**
 * Opens a media store in a local folder, which the caller creates.
 * @param mustBeOurs throws AppError 'unavailable' if there is something else at the folder's path
 */
export function openDiskStore(folder: string, mustBeOurs: () => Promise<void>): MediaStore {
  const pathOf = (name: string) => join(folder, pathIn(name));
  const aside = setAsideIn(folder, pathOf);

  /** Accesses a file. A missing one may have been set aside, or the whole folder may be away. */
  async function orTakenBack<T>(name: string, access: (path: string) => Promise<T>): Promise<T | null> {
    try {
      return await access(pathOf(name));
    } catch (error) {
      await mustBeOurs();
      if (!isMissing(error)) throw error;
    }
    // A concurrent request may have restored it already.
    await aside.restore(name);
    return access(pathOf(name)).catch(nullIfMissing);
  }

  return {
    installationId: () => installationOf(folder),
    claim: (id) => claimFolder(folder, id),
    unclaim: () => unclaimFolder(folder),

    async publish(stagedPath, name) {
      await mustBeOurs();
      const path = pathOf(name);
      await makeFolder(dirname(path));
      await syncFile(stagedPath);
      await rename(stagedPath, path);
      await syncFolder(dirname(path));
      // If the folder was moved away during the write, the next start would not find an acknowledged file.
      await mustBeOurs();
    },

    open: (name, range) => orTakenBack(name, (path) => opened(path, range)),

    read: (name, range) => orTakenBack(name, (path) => bytesOf(path, range)),

    signedUrl: null,

    digest: (name, signal) => orTakenBack(name, (path) => digestOf(path, signal)),

    async sizeOf(name) {
      const found = await stat(pathOf(name)).catch(nullIfMissing);
      if (!found) await mustBeOurs();
      return found?.size ?? null;
    },

    async remove(name) {
      await rm(pathOf(name), { force: true });
      if (await aside.restore(name)) await rm(pathOf(name), { force: true });
    },

    async *list() {
      await mustBeOurs();
      for (const group of await groupsIn(folder)) {
        const names = await readdir(join(folder, group)).catch(nullIfMissing);
        for (const name of names?.sort() ?? []) {
          // Other files in the folder don't belong to us.
          if (!isName(name) || name.slice(0, 2) !== group) continue;
          const found = await stat(join(folder, group, name)).catch(() => null);
          if (found?.isFile()) yield { name, size: found.size, publishedAt: found.ctime };
        }
      }
    },

    aside,

    async check() {
      await mustBeOurs();
      await access(folder, constants.W_OK);
    },
  };
}

async function opened(path: string, range: { start: number; end?: number }) {
  const stream = createReadStream(path, { ...range, highWaterMark: READ_BUFFER });
  const [fd] = (await once(stream, 'open')) as [number];
  return { stream, size: (await statOf(fd)).size };
}

async function bytesOf(path: string, { start, end }: { start: number; end: number }) {
  const fd = await opening(path, 'r');
  try {
    const { size } = await statOf(fd);
    const { buffer, bytesRead } = await reading(
      fd,
      Buffer.allocUnsafe(end - start + 1),
      0,
      end - start + 1,
      start,
    );
    return { bytes: buffer.subarray(0, bytesRead), size };
  } finally {
    await closing(fd);
  }
}

/** Returns the folders of the files, named after the first two characters of the files' names. */
async function groupsIn(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.length === 2)
    .map(({ name }) => name)
    .sort();
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function syncFile(path: string) {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads the id of the installation.
 * @throws WrongPair if there is no valid id in the file, as after an interrupted copy
 */
async function installationOf(folder: string): Promise<string | null> {
  const path = join(folder, INSTALLATION);
  try {
    const id = (await readFile(path, 'utf8')).trim();
    if (isInstallationId(id)) return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw new WrongPair(
    `The file ${path} is damaged. Restore or delete it: at the next start, Yangchen recognizes its files by their names.`,
  );
}

/**
 * Writes the id with a link, because unlike a rename it doesn't overwrite an id that another process has just
 * written.
 */
async function claimFolder(folder: string, id: string) {
  const written = join(folder, `${INSTALLATION}.${randomUUID()}`);
  try {
    const file = await open(written, 'wx', 0o600);
    try {
      await file.writeFile(`${id}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(written, join(folder, INSTALLATION)).catch(async (error: NodeJS.ErrnoException) => {
      // exFAT and some network disks have no hard links.
      if (error.code !== 'EEXIST') await rename(written, join(folder, INSTALLATION));
    });
  } finally {
    await rm(written, { force: true });
  }
  await syncFolder(folder);
}

/** Removes the id, so that another installation can claim the folder. */
const unclaimFolder = (folder: string) => rm(join(folder, INSTALLATION), { force: true });

/** Manages files set aside. They stay inside the media folder: on the same disk and in the same backup. */
function setAsideIn(mediaFolder: string, pathOf: (name: string) => string): SetAside {
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
        // Another process may restore it at the same moment.
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
