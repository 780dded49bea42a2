import { getDeviceCache } from './device-cache.ts';
import { storeLastUser } from './last-user.ts';

/** Cache for an audio file that another app has shared, until the submit page picks it up. */
export const SHARED_SOUND_CACHE = 'shared sound';

/** Prefix of a key that ends in the user's id. The value is the melody that home offers to continue with. */
export const CONTINUE_KEY_PREFIX = 'continue ';

/** Removes what a user leaves on the device when signing out. Unsent recordings and drafts stay. */
export async function clearDeviceData(): Promise<void> {
  // The service worker has already deleted this database, unless the page was loaded without the worker or the
  // server can't be reached.
  (globalThis as Partial<typeof globalThis>).indexedDB?.deleteDatabase('pack');
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(CONTINUE_KEY_PREFIX)) localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
  await Promise.all([
    storeLastUser(null),
    getDeviceCache()
      ?.delete(SHARED_SOUND_CACHE)
      .catch(() => undefined),
  ]);
}
