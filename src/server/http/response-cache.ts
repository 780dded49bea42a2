import { LRUCache } from 'lru-cache';

export type KeptBodies = ReturnType<typeof keptBodies>;

const MOST_BYTES = 16 * 1024 * 1024;
const MOST = 1_000;

/**
 * Bodies of answers that many may have, by what names their content for good. The least recently used ones go.
 */
export function keptBodies(maxSize = MOST_BYTES) {
  const kept = new LRUCache<string, Buffer>({ max: MOST, maxSize, sizeCalculation: ({ length }) => length });
  const pending = new Map<string, Promise<Buffer>>();

  /** @param make called once, however many ask at the same time; what it throws is not kept */
  return async function bodyOf(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const known = kept.get(key) ?? pending.get(key);
    if (known) return known;
    const making = make();
    pending.set(key, making);
    try {
      const body = await making;
      kept.set(key, body);
      return body;
    } finally {
      pending.delete(key);
    }
  };
}
