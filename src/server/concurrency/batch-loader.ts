import { setImmediate } from 'node:timers/promises';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { withTimeout } from './with-timeout.ts';

/**
 * Duration in ms after which a running query no longer delays the next one. If `MAX_CONCURRENT_QUERIES` are
 * running, the next one still waits.
 */
const SLOW_QUERY_MS = 50;

/** Maximum number of concurrent queries. */
const MAX_CONCURRENT_QUERIES = 4;

/**
 * Maximum number of keys per query. It keeps statements small, and limits the number of lookups that fail
 * together.
 */
const MAX_KEYS_PER_QUERY = 200;

/**
 * Batches concurrent lookups into one query, like DataLoader. In addition, lookups that arrive during a query
 * share the next one. Each query starts after its lookups were requested, so that no result is stale.
 * @param lookUp returns the results in the order of the keys
 */
export function createBatchLoader<K, V>(lookUp: (keys: readonly K[]) => Promise<readonly V[]>) {
  const limitAll = createConcurrencyLimiter({ maxConcurrent: MAX_CONCURRENT_QUERIES });
  const limitFast = createConcurrencyLimiter({ maxConcurrent: 1 });
  let open: { keys: K[]; results: Promise<readonly V[]> } | null = null;

  function newBatch() {
    const keys: K[] = [];
    const results = limitAll(async () => {
      const query = await limitFast(async () => {
        // Lookups in the same turn of the event loop share a query.
        await setImmediate();
        if (open?.keys === keys) open = null;
        const results = lookUp(keys);
        await withTimeout(SLOW_QUERY_MS, results).catch(() => undefined);
        return { results };
      });
      return query.results;
    });
    return { keys, results };
  }

  return async function load(key: K): Promise<V> {
    if (!open || open.keys.length === MAX_KEYS_PER_QUERY) open = newBatch();
    const { keys, results } = open;
    const index = keys.push(key) - 1;
    return (await results)[index]!;
  };
}
