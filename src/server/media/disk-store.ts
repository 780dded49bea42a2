import { close, constants, createReadStream, fstat, open as openFile, read as readBytes } from 'node:fs';
import { access, open, readdir, rename, rm, stat, link, readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { createFolderDurably, fsyncFolder } from '../data-folder/fsync-folder.ts';
import { createDamagedInstallationIdError } from '../data-folder/installation-mismatch-error.ts';
import { hashFile } from './hash-file.ts';
import {
  isMediaFileName,
  getMediaFilePath as pathIn,
  INSTALLATION_FILE,
  isInstallationId,
  SET_ASIDE_FOLDER,
  SET_ASIDE_DAY_PATTERN,
} from './layout.ts';
import type { MediaStore, SetAsideFiles } from './store.ts';

/** Bytes per read. With Node's default of 64 KiB, sending media takes several times the CPU time. */
const READ_BUFFER_BYTES = 256 * 1024;

// Uses numeric descriptors instead of `FileHandle`. For each byte range of a melody, creating an object
// with a finalizer would cost more than reading the bytes.
const openFileAsync = promisify(openFile);
const statAsync = promisify(fstat);
const readAsync = promisify(readBytes);
const closeAsync = promisify(close);

/**
 * Opens a media store in a local folder, which the caller creates.
 * @param assertOwnFolder throws AppError 'unavailable' if the folder is missing or has been replaced
 */
export function openDiskStore(folder: string, assertOwnFolder: () => Promise<void>): MediaStore {
  const pathOf = (name: string) => join(folder, pathIn(name));
  const aside = createSetAside(folder, pathOf);

  /**
   * Accesses a file. If it is missing, checks that the media folder itself is still there, restores the file
   * if it was set aside, and tries again.
   * @returns null if there is no such file
   */
  async function withRestoredFile<T>(name: string, access: (path: string) => Promise<T>): Promise<T | null> {
    try {
      return await access(pathOf(name));
    } catch (error) {
      await assertOwnFolder();
      if (!isMissingFileError(error)) throw error;
    }
    // Ignores the result, because a concurrent request may already have restored the file.
    await aside.restore(name);
    return access(pathOf(name)).catch(nullIfMissing);
  }

  return {
    maxConcurrent: 1,
    installationId: () => readInstallationFile(folder),
    claim: (id) => claimFolder(folder, id),
    unclaim: () => unclaimFolder(folder),

    async publish(stagedPath, name) {
      await assertOwnFolder();
      const path = pathOf(name);
      await createFolderDurably(dirname(path));
      await syncFile(stagedPath);
      await rename(stagedPath, path);
      await fsyncFolder(dirname(path));
      // Checks the folder once more. Otherwise, if it was replaced during the write, the file would be
      // acknowledged but missing after a restart.
      await assertOwnFolder();
    },

    open: (name, range) => withRestoredFile(name, (path) => openRange(path, range)),

    read: (name, range) => withRestoredFile(name, (path) => readRange(path, range)),

    signedUrl: null,

    digest: (name, signal) => withRestoredFile(name, (path) => hashFile(path, signal)),

    async sizeOf(name) {
      const found = await stat(pathOf(name)).catch(nullIfMissing);
      if (!found) await assertOwnFolder();
      return found?.size ?? null;
    },

    async remove(name) {
      await rm(pathOf(name), { force: true });
      if (await aside.restore(name)) await rm(pathOf(name), { force: true });
    },

    async *list() {
      await assertOwnFolder();
      for (const group of await listGroupFolders(folder)) {
        const names = await readdir(join(folder, group)).catch(nullIfMissing);
        for (const name of names?.sort() ?? []) {
          // Skips other files in the folder, which don't belong to us.
          if (!isMediaFileName(name) || name.slice(0, 2) !== group) continue;
          const found = await stat(join(folder, group, name)).catch(() => null);
          if (found?.isFile()) yield { name, size: found.size, publishedAt: found.ctime };
        }
      }
    },

    aside,

    async check() {
      await assertOwnFolder();
      await access(folder, constants.W_OK);
    },
  };
}

async function openRange(path: string, range: { start: number; end?: number }) {
  const stream = createReadStream(path, { ...range, highWaterMark: READ_BUFFER_BYTES });
  const [fd] = (await once(stream, 'open')) as [number];
  return { stream, size: (await statAsync(fd)).size };
}

async function readRange(path: string, { start, end }: { start: number; end: number }) {
  const fd = await openFileAsync(path, 'r');
  try {
    const { size } = await statAsync(fd);
    const { buffer, bytesRead } = await readAsync(
      fd,
      Buffer.allocUnsafe(end - start + 1),
      0,
      end - start + 1,
      start,
    );
    return { bytes: buffer.subarray(0, bytesRead), size };
  } finally {
    await closeAsync(fd);
  }
}

/**
 * Returns the sorted names of the folders that contain the files. Each is named after the first two
 * characters of its files' names.
 */
async function listGroupFolders(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.length === 2)
    .map(({ name }) => name)
    .sort();
}

function nullIfMissing(error: unknown): null {
  if (isMissingFileError(error)) return null;
  throw error;
}

const isMissingFileError = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function syncFile(path: string) {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Reads the id of the installation; null if the folder has none.
 * @throws InstallationMismatchError if the file contains no valid id, for example after an interrupted copy
 */
async function readInstallationFile(folder: string): Promise<string | null> {
  const path = join(folder, INSTALLATION_FILE);
  try {
    const id = (await readFile(path, 'utf8')).trim();
    if (isInstallationId(id)) return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw createDamagedInstallationIdError(`The file ${path}`);
}

/**
 * Writes the installation's id, unless the folder already has an id. Uses a hard link, because a rename would
 * overwrite an id that another process has just written.
 */
async function claimFolder(folder: string, id: string) {
  const written = join(folder, `${INSTALLATION_FILE}.${randomUUID()}`);
  try {
    const file = await open(written, 'wx', 0o600);
    try {
      await file.writeFile(`${id}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(written, join(folder, INSTALLATION_FILE)).catch(async (error: NodeJS.ErrnoException) => {
      // Falls back to a rename, because exFAT and some network disks have no hard links.
      if (error.code !== 'EEXIST') await rename(written, join(folder, INSTALLATION_FILE));
    });
  } finally {
    await rm(written, { force: true });
  }
  await fsyncFolder(folder);
}

/** Removes the id, so that another installation can claim the folder. */
const unclaimFolder = (folder: string) => rm(join(folder, INSTALLATION_FILE), { force: true });

/**
 * Manages the files that were set aside because they have no row. They stay in the media folder, so that they
 * are on the same disk and in the same backup.
 */
function createSetAside(mediaFolder: string, pathOf: (name: string) => string): SetAsideFiles {
  const folder = join(mediaFolder, SET_ASIDE_FOLDER);
  const days = async () =>
    (await listNames(folder)).filter((name) => SET_ASIDE_DAY_PATTERN.test(name)).sort();

  return {
    async begin(day) {
      await createFolderDurably(folder);
      await createFolderDurably(join(folder, day));
    },

    days,

    async put(name, day) {
      if (!(await renameIfExists(pathOf(name), join(folder, day, name)))) return false;
      await fsyncFolder(join(folder, day));
      return true;
    },

    async *list() {
      for (const day of await days()) yield* await listNames(join(folder, day));
    },

    async restore(name) {
      if (await stat(pathOf(name)).catch(() => null)) return false;
      for (const day of await days()) {
        const found = await stat(join(folder, day, name)).catch(() => null);
        if (!found) continue;
        await createFolderDurably(dirname(pathOf(name)));
        // Skips a file that another process restores at the same moment.
        if (!(await renameIfExists(join(folder, day, name), pathOf(name)))) continue;
        await fsyncFolder(dirname(pathOf(name)));
        return true;
      }
      return false;
    },

    async deleteDay(day) {
      if (SET_ASIDE_DAY_PATTERN.test(day)) await rm(join(folder, day), { recursive: true, force: true });
    },
  };
}

/**
 * Renames a file.
 * @returns false if there is no such file
 */
async function renameIfExists(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
