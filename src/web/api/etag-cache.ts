/** Maximum number of cached responses: more than a page requests, and few enough for a phone's memory. */
const MAX_CACHED_RESPONSES = 30;

/**
 * The latest responses by URL, for revalidation: the server answers 304 if a response has not changed. On a
 * poor connection, the transfer is most of the wait. Kept in memory only, because the browser's disk cache
 * would outlive the session.
 */
export const etagCache = new Map<string, { etag: string; text: string }>();

/**
 * Caches a response for revalidation, or removes the cached response if the new one has no ETag. Drops the
 * oldest responses above MAX_CACHED_RESPONSES.
 * @param etag null if the response has none
 */
export function cacheResponse(url: string, etag: string | null, text: string) {
  etagCache.delete(url);
  if (etag) etagCache.set(url, { etag, text });
  for (const oldest of etagCache.keys()) if (etagCache.size > MAX_CACHED_RESPONSES) etagCache.delete(oldest);
}
