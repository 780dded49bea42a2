import { expect, test } from 'vitest';
import { isProven } from './findings.ts';
import { proveServer } from './server-kills.ts';

// A few turns of `npm run proof:lost`, which does this at length. The seeds deal out moments of every kind between them:
// while a file comes, while it is put away, once it lies there, as the answer begins, and after it.

test.each(['turns 764', 'turns 154', 'turns 217'])(
  'a server that is killed while it receives keeps what it has answered for, once (%s)',
  async (seed) => {
    const found = await proveServer({ runs: 3, seed });
    expect(found).toMatchObject({ runs: 3, lost: [], duplicates: 0, orphans: 0 });
    expect(
      Object.values(found.kills)
        .flatMap((states) => Object.values(states))
        .reduce((sum, count) => sum + count, 0),
    ).toBe(3);
  },
);

test('the proof sees what goes wrong where each try has a name of its own', async () => {
  const found = await proveServer({ runs: 3, seed: 'turns 764', without: 'idempotency', untilFound: true });
  expect(isProven(found)).toBe(false);
  expect(found.duplicates).toBeGreaterThan(0);
});

test('the proof sees what goes wrong where an answer comes before what it promises', async () => {
  const found = await proveServer({ runs: 5, seed: 'turns 81', without: 'durable-order', untilFound: true });
  expect(isProven(found)).toBe(false);
  expect(found.lost).not.toEqual([]);
});
