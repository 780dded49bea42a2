import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createConcurrencyLimiter,
  createFairShareCooldown,
  createKeyedLimiter,
} from './concurrency-limiter.ts';

const useFakeTimers = () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
};

/** Creates a task that finishes or fails on demand. */
function heldTask() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { task: () => promise, finish: () => resolve(), fail: () => reject(new Error('failed')) };
}

describe('createConcurrencyLimiter', () => {
  test('runs every task within the concurrency limit, even after tasks fail', async () => {
    const run = createConcurrencyLimiter({ maxConcurrent: 2 });
    let running = 0;
    let most = 0;
    const task = async (fails: boolean) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      if (fails) throw new Error('failed');
    };
    const results = await Promise.allSettled(
      [false, true, false, true, false, false].map((fails) => run(() => task(fails))),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(most).toBe(2);
  });

  test('skips a task that is aborted while it waits', async () => {
    const run = createConcurrencyLimiter({ maxConcurrent: 1 });
    const first = heldTask();
    const firstDone = run(first.task);
    const events: string[] = [];
    const abort = new AbortController();
    const skipped = run(async () => void events.push('skipped'), { signal: abort.signal });
    const next = run(async () => void events.push('next'), { signal: new AbortController().signal });
    abort.abort();
    await expect(skipped).rejects.toMatchObject({ code: 'too-many' });
    const late = run(async () => void events.push('late'), { signal: abort.signal });
    await expect(late).rejects.toMatchObject({ code: 'too-many' });
    first.finish();
    await Promise.all([firstDone, next]);
    expect(events).toEqual(['next']);
    await expect(run(() => Promise.resolve('free again'))).resolves.toBe('free again');
  });

  test('rejects the newest task when the queue is full', async () => {
    const refusal = () => new Error('full');
    const run = createConcurrencyLimiter({ maxConcurrent: 1, maxQueued: 1, createError: refusal });
    const first = heldTask();
    const firstDone = run(first.task);
    const second = run(() => Promise.resolve('second'));
    await expect(run(() => Promise.resolve('third'))).rejects.toThrow('full');
    first.finish();
    await firstDone;
    expect(await second).toBe('second');
  });

  test('rejects a task that waits too long', async () => {
    useFakeTimers();
    const run = createConcurrencyLimiter({ maxConcurrent: 1, maxWaitMs: 1_000 });
    const first = heldTask();
    const firstDone = run(first.task);
    const refused = expect(run(() => Promise.resolve())).rejects.toMatchObject({ code: 'too-many' });
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    first.finish();
    await firstDone;
    await run(() => Promise.resolve());
  });
});

describe('createKeyedLimiter', () => {
  test('runs tasks with the same key in sequence and with different keys in parallel', async () => {
    const run = createKeyedLimiter({ maxConcurrent: 1 });
    const events: string[] = [];
    const held = heldTask();
    const first = run('a', async () => {
      events.push('a1 begins');
      await held.task();
      events.push('a1 ends');
    });
    const second = run('a', async () => void events.push('a2'));
    await run('b', async () => void events.push('b'));
    held.finish();
    await Promise.all([first, second]);
    expect(events).toEqual(['a1 begins', 'b', 'a1 ends', 'a2']);
  });

  test('delays the next task of a key by the cooldown', async () => {
    useFakeTimers();
    const run = createKeyedLimiter({ maxConcurrent: 1, cooldown: () => 500 });
    const done: string[] = [];
    const task = (name: string) => run(name[0]!, () => Promise.resolve(void done.push(name)));
    await Promise.all([task('a1'), task('b1')]);
    const next = task('a2');
    await vi.advanceTimersByTimeAsync(499);
    expect(done).toEqual(['a1', 'b1']);
    await vi.advanceTimersByTimeAsync(1);
    await next;
    expect(done).toEqual(['a1', 'b1', 'a2']);
  });
});

describe('createFairShareCooldown', () => {
  const SHARE = { share: 0.2, burstMs: 300, maxMs: 1_000 };

  test('does not delay occasional tasks, and limits a busy key to its share of time', () => {
    useFakeTimers();
    const cooldown = createFairShareCooldown(SHARE);
    for (let i = 0; i < 3; i += 1) expect(cooldown('pema', 100)).toBe(0);
    expect(cooldown('pema', 100)).toBe(500);
    vi.advanceTimersByTime(500 + 100);
    expect(cooldown('pema', 100)).toBe(400);
    expect(cooldown('tashi', 100)).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(cooldown('pema', 300)).toBe(0);
  });

  test('the cooldown never exceeds its maximum', () => {
    useFakeTimers();
    const cooldown = createFairShareCooldown(SHARE);
    for (let i = 0; i < 3; i += 1) expect(cooldown('pema', 60_000)).toBe(1_000);
  });
});
