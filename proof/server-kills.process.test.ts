import { expect, test } from 'vitest';
import { isProven } from './findings.ts';
import { proveServer } from './server-kills.ts';

// A few runs of `npm run proof:lost`, which does this at length. The seeds cover moments of every kind between them:
// while a file arrives, while it is stored, once it is stored, as the response begins, and after it.

test.each(['turns 764', 'turns 154', 'turns 217'])(
  'a server that is killed while it receives has what it confirmed, exactly once (%s)',
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

test('the proof detects what goes wrong without an idempotency key', async () => {
  const found = await proveServer({ runs: 3, seed: 'turns 764', without: 'idempotency', untilFound: true });
  expect(isProven(found)).toBe(false);
  expect(found.duplicates).toBeGreaterThan(0);
});

test('the proof detects what goes wrong when a response comes before what it promises', async () => {
  const found = await proveServer({ runs: 5, seed: 'turns 81', without: 'durable-order', untilFound: true });
  expect(isProven(found)).toBe(false);
  expect(found.lost).not.toEqual([]);
});
