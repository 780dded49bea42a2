import { expect, test } from 'vitest';
import { inBatches } from './batches.ts';

/** A lookup whose queries are answered by hand. */
function byHand() {
  const queries: { keys: readonly string[]; answer(): void; fail(): void }[] = [];
  const lookup = inBatches<string, string>((keys) => {
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

const settled = () => new Promise(setImmediate);

test('lookups of the same moment share one query, and each gets its own result', async () => {
  const { queries, lookup } = byHand();
  const found = Promise.all(['a', 'b', 'a'].map(lookup));
  await settled();
  expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'a']]);
  queries[0]!.answer();
  expect(await found).toEqual(['A', 'B', 'A']);
});

test('a slow query holds nobody up', async () => {
  const { queries, lookup } = byHand();
  void lookup('slow');
  await settled();
  const next = lookup('next');
  await settled();
  queries[1]!.answer();
  expect(await next).toBe('NEXT');
});

test('with three queries under way, others wait and share the next one, which begins after they were asked for', async () => {
  const { queries, lookup } = byHand();
  const first = [];
  for (const key of ['a', 'b', 'c']) {
    first.push(lookup(key));
    await settled();
  }
  const later = Promise.all(['d', 'e'].map(lookup));
  await settled();
  expect(queries).toHaveLength(3);
  queries[1]!.answer();
  await settled();
  expect(queries[3]!.keys).toEqual(['d', 'e']);
  queries[3]!.answer();
  expect(await later).toEqual(['D', 'E']);
  for (const query of queries) query.answer();
  expect(await Promise.all(first)).toEqual(['A', 'B', 'C']);
});

test('a failed query fails its lookups and no others', async () => {
  const { queries, lookup } = byHand();
  const lost = lookup('a');
  await settled();
  const other = lookup('b');
  await settled();
  queries[0]!.fail();
  await expect(lost).rejects.toThrow('lost');
  queries[1]!.answer();
  expect(await other).toBe('B');
  const again = lookup('c');
  await settled();
  queries[2]!.answer();
  expect(await again).toBe('C');
});

test('a query has at most 200 keys', async () => {
  const { queries, lookup } = byHand();
  void Promise.all(Array.from({ length: 500 }, (_, i) => lookup(String(i))));
  await settled();
  expect(queries.map(({ keys }) => keys.length)).toEqual([200, 200, 100]);
});
