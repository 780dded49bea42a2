import { expect, test } from 'vitest';
import { concurrency } from './concurrency.ts';

test('no more than so many run at once, all run, and a failure gives its place back', async () => {
  const run = concurrency(2);
  let running = 0;
  let most = 0;
  const task = async (fails: boolean) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    if (fails) throw new Error('failed');
    return 'done';
  };
  const results = await Promise.allSettled(
    [false, true, false, true, false, false].map((fails) => run(() => task(fails))),
  );
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(most).toBe(2);
});
