import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../data-folder/sync-folder.ts';
import { WrongPair } from '../data-folder/installation-mismatch-error.ts';
import { INSTALLATION, isInstallationId } from './layout.ts';

/** @throws WrongPair when it holds no valid id, as after an interrupted copy */
export async function installationOf(folder: string): Promise<string | null> {
  const path = join(folder, INSTALLATION);
  try {
    const id = (await readFile(path, 'utf8')).trim();
    if (isInstallationId(id)) return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  throw new WrongPair(
    `The file ${path} is damaged. Restore it, or delete it: then the names of the files tell whose they are.`,
  );
}

/** A link, unlike a rename, does not overwrite what another process has just written. */
export async function claimFolder(folder: string, id: string) {
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
export const unclaimFolder = (folder: string) => rm(join(folder, INSTALLATION), { force: true });
