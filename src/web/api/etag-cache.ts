/** More than the lists of a page, and few enough to keep in memory. */
const MAX_CACHED_RESPONSES = 30;

/**
 * The last responses by address, so that an unchanged one is not sent again: over a poor connection, that is most of
 * the wait. In memory only, because the browser's cache on disk outlives the session.
 */
export const etagCache = new Map<string, { etag: string; text: string }>();

/** @param etag null for a response without one */
export function cacheResponse(url: string, etag: string | null, text: string) {
  etagCache.delete(url);
  if (etag) etagCache.set(url, { etag, text });
  for (const oldest of etagCache.keys()) if (etagCache.size > MAX_CACHED_RESPONSES) etagCache.delete(oldest);
}
