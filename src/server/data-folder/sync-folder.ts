import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Fsyncs a folder. A rename survives a power cut only once its folder is fsynced. */
export async function syncFolder(path: string) {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Creates a folder durably if missing, accessible to its owner only. The parent must exist: while the program runs,
 * a data folder that was moved away must not be recreated.
 */
export async function createFolder(path: string) {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await Promise.all([syncFolder(path), syncFolder(dirname(path))]);
}
