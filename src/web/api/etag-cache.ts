/** Maximum number of cached responses. No page makes as many requests, and that many fit in memory. */
const MAX_CACHED_RESPONSES = 30;

/**
 * The latest responses by URL, so that unchanged ones are not sent again: over a poor connection, the transfer
 * is most of the wait. Kept in memory only, because the browser's disk cache would outlive the session.
 */
export const etagCache = new Map<string, { etag: string; text: string }>();

/** @param etag null for a response without one */
export function cacheResponse(url: string, etag: string | null, text: string) {
  etagCache.delete(url);
  if (etag) etagCache.set(url, { etag, text });
  for (const oldest of etagCache.keys()) if (etagCache.size > MAX_CACHED_RESPONSES) etagCache.delete(oldest);
}
