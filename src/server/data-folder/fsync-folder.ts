import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Fsyncs a folder. A rename survives a power cut only after its folder has been fsynced. */
export async function fsyncFolder(path: string) {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Creates a folder durably if it is missing, accessible only to its owner. The parent folder must exist,
 * because a data folder that is moved away while the program runs must not be recreated.
 */
export async function createFolderDurably(path: string) {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await Promise.all([fsyncFolder(path), fsyncFolder(dirname(path))]);
}
