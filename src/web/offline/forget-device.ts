import { deviceCache } from './device-cache.ts';
import { rememberUser } from './last-user.ts';

/** A sound that another app has shared, until the submit page takes it. */
export const SHARED_SOUND_CACHE = 'shared sound';

/** With a user's id: the title of the melody that home offers to go on with. */
export const CONTINUE_KEY = 'continue ';

/** Removes what a user leaves on the device at signing out. What was sung or typed and not sent stays. */
export async function forgetDevice(): Promise<void> {
  // As the service worker has done already, unless this page was loaded without it or the server can't be reached.
  (globalThis as Partial<typeof globalThis>).indexedDB?.deleteDatabase('pack');
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(CONTINUE_KEY)) localStorage.removeItem(key);
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
  await Promise.all([
    rememberUser(null),
    deviceCache()
      ?.delete(SHARED_SOUND_CACHE)
      .catch(() => undefined),
  ]);
}
