import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatchLoader } from './batch-loader.ts';

/** Creates a batch loader whose queries end when the test resolves or rejects them. */
function createManualLoader() {
  const queries: { keys: readonly string[]; answer(): void; fail(): void }[] = [];
  const lookup = createBatchLoader<string, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    queries.push({
      keys,
      answer: () => resolve(keys.map((key) => key.toUpperCase())),
      fail: () => reject(new Error('lost')),
    });
    return promise;
  });
  return { queries, lookup };
}

/**
 * Waits until lookups have settled: the end of a query is handled in the first turn of the event loop, and the
 * next query starts in the second.
 */
async function flushPromises() {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

test('lookups in one event-loop turn share a query, and each gets its own result', async () => {
  const { queries, lookup } = createManualLoader();
  const found = Promise.all(['a', 'b', 'a'].map(lookup));
  await flushPromises();
  expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'a']]);
  queries[0]!.answer();
  expect(await found).toEqual(['A', 'B', 'A']);
});

test('lookups during a running query wait for its end and then share a query', async () => {
  const { queries, lookup } = createManualLoader();
  void lookup('a');
  await flushPromises();
  const later = Promise.all(['b', 'c'].map(lookup));
  await flushPromises();
  expect(queries).toHaveLength(1);
  queries[0]!.answer();
  await flushPromises();
  expect(queries[1]!.keys).toEqual(['b', 'c']);
  queries[1]!.answer();
  expect(await later).toEqual(['B', 'C']);
});

test('a slow query does not delay other lookups until four queries are running', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { queries, lookup } = createManualLoader();
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    void lookup(key);
    await flushPromises();
    vi.advanceTimersByTime(60);
    await flushPromises();
  }
  expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c'], ['d']]);
  queries[2]!.answer();
  await flushPromises();
  expect(queries[4]!.keys).toEqual(['e']);
});

test('a failed query fails only its own lookups', async () => {
  const { queries, lookup } = createManualLoader();
  const lost = lookup('a');
  await flushPromises();
  const other = lookup('b');
  queries[0]!.fail();
  await expect(lost).rejects.toThrow('lost');
  await flushPromises();
  queries[1]!.answer();
  expect(await other).toBe('B');
});

test('a query looks up at most 200 keys', async () => {
  const { queries, lookup } = createManualLoader();
  const found = Promise.all(Array.from({ length: 500 }, (_, i) => lookup(String(i))));
  for (let at = 0; at < 3; at += 1) {
    await flushPromises();
    queries[at]!.answer();
  }
  await found;
  expect(queries.map(({ keys }) => keys.length)).toEqual([200, 200, 100]);
});
