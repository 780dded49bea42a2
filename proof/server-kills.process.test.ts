import { expect, test } from 'vitest';
import { isProven } from './findings.ts';
import { proveServer } from './server-kills.ts';

// A few turns of `npm run proof:lost`, which does this at length.

test('a server that is killed while it receives keeps what it has answered for, once', async () => {
  const found = await proveServer({ runs: 3, seed: 'turns 764' });
  expect(found).toMatchObject({ runs: 3, lost: [], duplicates: 0, orphans: 0 });
  expect(
    Object.values(found.kills)
      .flatMap((states) => Object.values(states))
      .reduce((sum, count) => sum + count, 0),
  ).toBe(3);
});

test('the proof sees what goes wrong where each try has a name of its own', async () => {
  const found = await proveServer({ runs: 3, seed: 'turns 764', without: 'idempotency', untilFound: true });
  expect(isProven(found)).toBe(false);
  expect(found.duplicates).toBeGreaterThan(0);
});
