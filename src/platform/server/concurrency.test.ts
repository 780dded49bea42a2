import { expect, test } from 'vitest';
import { concurrency, oneAtATimeForEach } from './concurrency.ts';

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

test('one key’s tasks run one after the other, another key’s beside them', async () => {
  const run = oneAtATimeForEach();
  const events: string[] = [];
  let finishFirst!: () => void;
  const first = run('a', async () => {
    events.push('a1 begins');
    await new Promise<void>((resolve) => (finishFirst = resolve));
    events.push('a1 ends');
  });
  const second = run('a', async () => void events.push('a2'));
  await run('b', async () => void events.push('b'));
  finishFirst();
  await Promise.all([first, second]);
  expect(events).toEqual(['a1 begins', 'b', 'a1 ends', 'a2']);
});
