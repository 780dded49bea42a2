import { expect, test } from 'vitest';
import { fairQueue, type Turn } from './fair-queue.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose tasks finish on demand, one after the other. */
function slowQueue(limits: { atOnce: number; waiting: number }) {
  const run = fairQueue(limits);
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  return {
    begun,
    add(what: string, account: string, address: string, signal?: AbortSignal) {
      const turn: Turn = { account, address, signal };
      const task = () => {
        begun.push(what);
        return new Promise<string>((resolve) => endings.push(() => resolve(what)));
      };
      const done = run(turn, task);
      done.catch(() => undefined);
      return done;
    },
    settle,
    /** Finishes the oldest running task; the next has then started. */
    async endOne() {
      await settle();
      endings.shift()?.();
      await settle();
    },
  };
}

test('the teacher’s sign-in is among the next few, amid two hundred of one student', async () => {
  const queue = slowQueue({ atOnce: 2, waiting: 400 });
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

test('with a single slot too, the teacher’s sign-in is next, wherever the student’s come from', async () => {
  const queue = slowQueue({ atOnce: 1, waiting: 400 });
  for (let i = 0; i < 30; i += 1) void queue.add('student', 'tashi', `address ${i}`);
  void queue.add('teacher', 'khandro', 'address 0');
  await queue.endOne();
  expect(queue.begun).toEqual(['student', 'teacher']);
});

test('one address trying many names holds up nobody at another', async () => {
  const queue = slowQueue({ atOnce: 1, waiting: 400 });
  for (let i = 0; i < 100; i += 1) void queue.add(`name ${i}`, `name${i}`, 'there');
  void queue.add('teacher', 'khandro', 'here');
  void queue.add('student', 'tashi', 'here');
  for (let i = 0; i < 4; i += 1) await queue.endOne();
  expect(queue.begun).toEqual(['name 0', 'name 1', 'teacher', 'name 2', 'student']);
});

test('nobody starves behind names that keep coming', async () => {
  const queue = slowQueue({ atOnce: 1, waiting: 400 });
  void queue.add('first', 'tashi', 'here');
  void queue.add('second', 'tashi', 'here');
  for (let i = 0; i < 5; i += 1) {
    void queue.add(`name ${i}`, `name${i}`, 'here');
    await queue.endOne();
  }
  expect(queue.begun.slice(0, 4)).toEqual(['first', 'name 0', 'second', 'name 1']);
});

test('one account alone gets all slots, and others go first as soon as they wait', async () => {
  const queue = slowQueue({ atOnce: 2, waiting: 400 });
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

test('when the queue is full, the newest task of the busiest address is refused, whoever came last', async () => {
  const queue = slowQueue({ atOnce: 1, waiting: 3 });
  void queue.add('a', 'tashi', 'there');
  const many = [1, 2, 3].map((i) => queue.add(`b${i}`, `name${i}`, 'there'));
  const teacher = queue.add('teacher', 'khandro', 'here');
  await expect(many[2]).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
  for (let i = 0; i < 4; i += 1) await queue.endOne();
  expect(await teacher).toBe('teacher');
  expect(queue.begun).toEqual(['a', 'b1', 'teacher', 'b2']);
});

test('an aborted task is skipped, and a failed one frees its slot', async () => {
  const run = fairQueue({ atOnce: 1, waiting: 10 });
  const begun: string[] = [];
  const disconnect = new AbortController();
  let fail!: () => void;
  const failing = run(
    { account: 'a', address: 'x' },
    () => new Promise((_, reject) => (fail = () => reject(new Error('failed')))),
  );
  await settle();
  const given = run({ account: 'b', address: 'x', signal: disconnect.signal }, async () => begun.push('b'));
  const last = run({ account: 'c', address: 'x' }, async () => begun.push('c'));
  disconnect.abort();
  await expect(given).rejects.toMatchObject({ code: 'unavailable' });
  fail();
  await expect(failing).rejects.toThrow('failed');
  await last;
  expect(begun).toEqual(['c']);
  const already = run({ account: 'd', address: 'x', signal: disconnect.signal }, async () => begun.push('d'));
  await expect(already).rejects.toMatchObject({ code: 'unavailable' });
});
