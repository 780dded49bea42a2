import { SHARE_FIELD, SHARED } from '../sharing.ts';

// Where sound that another app shares waits for the submit page. The app that shared it keeps it too.

const CACHE = 'shared sound';
const KEY = '/shared-sound';
const NAME_HEADER = 'x-name';

/** For the service worker: keeps what is shared, in place of what was shared before, and opens the submit page. */
export async function receiveShared(request: Request): Promise<Response> {
  try {
    const sound = (await request.formData()).get(SHARE_FIELD);
    if (sound instanceof File && sound.size > 0) await keep(sound);
  } catch {
    // The page finds nothing, and says so.
  }
  return Response.redirect(SHARED, 303);
}

async function keep(sound: File): Promise<void> {
  const headers = { 'content-type': sound.type, [NAME_HEADER]: encodeURIComponent(sound.name) };
  const cache = await caches.open(CACHE);
  await cache.put(KEY, new Response(sound, { headers }));
}

/** Null if nothing is there, or it can't be read. */
export async function sharedSound(): Promise<File | null> {
  try {
    const kept = await caches.match(KEY, { cacheName: CACHE });
    if (!kept) return null;
    const name = decodeURIComponent(kept.headers.get(NAME_HEADER) ?? '');
    return new File([await kept.blob()], name, { type: kept.headers.get('content-type') ?? '' });
  } catch {
    return null;
  }
}

export async function forgetShared(): Promise<void> {
  // Not there on plain http.
  await (globalThis as Partial<typeof globalThis>).caches?.delete(CACHE);
}
