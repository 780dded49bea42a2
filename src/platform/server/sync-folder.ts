import { open } from 'node:fs/promises';

/** A rename survives a power cut only once its folder is synced. */
export async function syncFolder(path: string) {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
