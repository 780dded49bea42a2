import { expect, test } from 'vitest';
import { concurrency, oneAtATimeForEach } from './concurrency.ts';

test('the limit is never exceeded, every task runs, and a failure frees its slot', async () => {
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

test('a task aborted while queued never runs, and frees its place', async () => {
  const run = concurrency(1);
  let finish!: () => void;
  const first = run(() => new Promise<void>((resolve) => (finish = resolve)));
  const events: string[] = [];
  const abort = new AbortController();
  const left = run(async () => void events.push('left'), abort.signal);
  const next = run(async () => void events.push('next'), new AbortController().signal);
  abort.abort();
  await expect(left).rejects.toThrow(/abort/);
  finish();
  await Promise.all([first, next]);
  expect(events).toEqual(['next']);
  await expect(run(() => Promise.resolve('free again'))).resolves.toBe('free again');
});

test('when the queue is full, the next caller is asked to retry', async () => {
  const run = concurrency(1, 1);
  let finish!: () => void;
  const first = run(() => new Promise<void>((resolve) => (finish = resolve)));
  const second = run(() => Promise.resolve('second'));
  await expect(run(() => Promise.resolve('third'))).rejects.toMatchObject({
    code: 'unavailable',
    retryAfter: 5,
  });
  finish();
  await first;
  expect(await second).toBe('second');
});

test('tasks of one key run one after the other, those of different keys in parallel', async () => {
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
