import { getCacheStorage } from './cache-storage.ts';
import { storeLastUser } from './last-user.ts';

/** Name of the cache for an audio file that another app has shared, until the submit page picks it up. */
export const SHARED_SOUND_CACHE_NAME = 'shared sound';

/**
 * Prefix of a key that ends in the user's id. The value is the melody that the home page offers to continue
 * with.
 */
export const CONTINUE_MELODY_KEY_PREFIX = 'continue ';

/** Deletes the pack, the last user, shared audio and the melodies to continue with. Called at sign-out. */
export async function clearDeviceData(): Promise<void> {
  // Usually the service worker has already deleted this database. It has not if the page was loaded without the
  // worker, or if the server can't be reached.
  (globalThis as Partial<typeof globalThis>).indexedDB?.deleteDatabase('pack');
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(CONTINUE_MELODY_KEY_PREFIX)) localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
  await Promise.all([
    storeLastUser(null),
    getCacheStorage()
      ?.delete(SHARED_SOUND_CACHE_NAME)
      .catch(() => undefined),
  ]);
}
