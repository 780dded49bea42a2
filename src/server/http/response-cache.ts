import { LRUCache } from 'lru-cache';

export type ResponseCache = ReturnType<typeof createResponseCache>;

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_BODIES = 1_000;

/** Creates a cache for response bodies that many users share. The key must change with the content. */
export function createResponseCache(maxSize = MAX_BYTES) {
  const cache = new LRUCache<string, Buffer, () => Promise<Buffer>>({
    max: MAX_BODIES,
    maxSize,
    sizeCalculation: ({ length }) => length,
    fetchMethod: (_key, _stale, { context: make }) => make(),
    // Requests that wait for an entry still get it if it is evicted while it is being created.
    ignoreFetchAbort: true,
  });

  /** @param make creates the body. Called once for concurrent requests. Errors are not cached. */
  return async (key: string, make: () => Promise<Buffer>): Promise<Buffer> =>
    (await cache.fetch(key, { context: make }))!;
}
