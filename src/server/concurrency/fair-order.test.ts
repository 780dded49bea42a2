import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createFairOrder, type QueueClient } from './fair-order.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a queue whose tasks finish on demand, one after the other. */
function slowQueue({ atOnce, maxWaiting = 400 }: { atOnce: number; maxWaiting?: number }) {
  const run = createConcurrencyLimiter({
    maxConcurrent: atOnce,
    maxQueued: maxWaiting,
    order: createFairOrder(),
  });
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  return {
    begun,
    add(what: string, account: string, address: string, signal?: AbortSignal) {
      const turn: QueueClient = { account, address, signal };
      const task = () => {
        begun.push(what);
        return new Promise<string>((resolve) => endings.push(() => resolve(what)));
      };
      const done = run(task, turn);
      done.catch(() => undefined);
      return done;
    },
    settle,
    /** Finishes the oldest running task, and waits until the next has started. */
    async endOne() {
      await settle();
      endings.shift()?.();
      await settle();
    },
  };
}

test('runs a teacher’s task next while one student has 200 tasks waiting', async () => {
  const queue = slowQueue({ atOnce: 2 });
  const all = Array.from({ length: 200 }, (_, i) => queue.add('student', 'tashi', i % 2 ? 'here' : 'there'));
  all.push(queue.add('teacher', 'khandro', 'here'));
  await queue.settle();
  expect(queue.begun).toEqual(['student', 'student']);
  await queue.endOne();
  expect(queue.begun).toEqual(['student', 'student', 'teacher']);
  while (queue.begun.length < all.length) await queue.endOne();
  for (const _ of all) await queue.endOne();
  expect(new Set(await Promise.all(all))).toEqual(new Set(['student', 'teacher']));
});

test('a student with tasks from many addresses does not delay a teacher’s task', async () => {
  const queue = slowQueue({ atOnce: 1 });
  for (let i = 0; i < 30; i += 1) void queue.add('student', 'tashi', `address ${i}`);
  void queue.add('teacher', 'khandro', 'address 0');
  await queue.endOne();
  expect(queue.begun).toEqual(['student', 'teacher']);
});

test('an address that tries many accounts does not delay other addresses', async () => {
  const queue = slowQueue({ atOnce: 1 });
  for (let i = 0; i < 100; i += 1) void queue.add(`name ${i}`, `name${i}`, 'there');
  void queue.add('teacher', 'khandro', 'here');
  void queue.add('student', 'tashi', 'here');
  for (let i = 0; i < 4; i += 1) await queue.endOne();
  expect(queue.begun).toEqual(['name 0', 'name 1', 'teacher', 'name 2', 'student']);
});

test('a waiting account does not starve behind new accounts', async () => {
  const queue = slowQueue({ atOnce: 1 });
  void queue.add('first', 'tashi', 'here');
  void queue.add('second', 'tashi', 'here');
  for (let i = 0; i < 5; i += 1) {
    void queue.add(`name ${i}`, `name${i}`, 'here');
    await queue.endOne();
  }
  expect(queue.begun.slice(0, 4)).toEqual(['first', 'name 0', 'second', 'name 1']);
});

test('one account may use all slots until other accounts wait', async () => {
  const queue = slowQueue({ atOnce: 2 });
  for (let i = 0; i < 4; i += 1) void queue.add(`invite ${i}`, 'generated', 'generated');
  await queue.settle();
  expect(queue.begun).toEqual(['invite 0', 'invite 1']);
  void queue.add('dolma', 'dolma', 'here');
  void queue.add('karma', 'karma', 'here');
  await queue.endOne();
  await queue.endOne();
  await queue.endOne();
  expect(queue.begun).toEqual(['invite 0', 'invite 1', 'dolma', 'karma', 'invite 2']);
});

test('a full queue rejects the newest task of the busiest address', async () => {
  const queue = slowQueue({ atOnce: 1, maxWaiting: 3 });
  void queue.add('a', 'tashi', 'there');
  const many = [1, 2, 3].map((i) => queue.add(`b${i}`, `name${i}`, 'there'));
  const teacher = queue.add('teacher', 'khandro', 'here');
  await expect(many[2]).rejects.toMatchObject({ code: 'too-many', retryAfter: 5 });
  for (let i = 0; i < 4; i += 1) await queue.endOne();
  expect(await teacher).toBe('teacher');
  expect(queue.begun).toEqual(['a', 'b1', 'teacher', 'b2']);
});
