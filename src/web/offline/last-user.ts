import type { ApiResponse } from '../api/call.ts';
import { getCacheStorage } from './cache-storage.ts';

type ApiUser = ApiResponse<'GET /api/user'>;

// Stores the user who was last signed in on this device. While offline, this is enough to open the pages and
// the data that the device stores under that user's id. Everything from the server still requires the
// session. The user is stored in Cache Storage, because the service worker can't read localStorage.

const CACHE = 'last user';
const KEY = '/last-user';

export async function storeLastUser(user: ApiUser | null): Promise<void> {
  try {
    // Version 0.2.0 stored the user in localStorage.
    (globalThis as Partial<typeof globalThis>).localStorage?.removeItem('last user');
    if (user) await (await getCacheStorage()?.open(CACHE))?.put(KEY, Response.json(user));
    else await getCacheStorage()?.delete(CACHE);
  } catch {
    // If the browser blocks storage, the pages open only with a connection.
  }
}

export async function readLastUser(): Promise<ApiUser | null> {
  try {
    const cached = await getCacheStorage()?.match(KEY, { cacheName: CACHE });
    return cached ? ((await cached.json()) as ApiUser) : null;
  } catch {
    return null;
  }
}
