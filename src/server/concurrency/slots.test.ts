import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { restsOf, slotsForEach } from './slots.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const RESTS = { share: 0.2, burstMs: 300, longestMs: 1_000 };

test('light use needs no cooldown, and continuous use stays within its share', () => {
  const restAfter = restsOf(RESTS);
  for (let i = 0; i < 3; i += 1) expect(restAfter('pema', 100)).toBe(0);
  expect(restAfter('pema', 100)).toBe(500);
  vi.advanceTimersByTime(500 + 100);
  expect(restAfter('pema', 100)).toBe(400);
  expect(restAfter('tashi', 100)).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(restAfter('pema', 300)).toBe(0);
});

test('no cooldown exceeds the maximum, whatever came before', () => {
  const restAfter = restsOf(RESTS);
  for (let i = 0; i < 3; i += 1) expect(restAfter('pema', 60_000)).toBe(1_000);
});

test("during one key's cooldown its next task waits, and others do not", async () => {
  const run = slotsForEach(
    { atOnce: 1, waiting: 10, waitMs: 30_000, restAfter: () => 500 },
    () => new Error(),
  );
  const { signal } = new AbortController();
  const done: string[] = [];
  const task = (name: string) => run(name[0]!, signal, () => Promise.resolve(void done.push(name)));
  await Promise.all([task('a1'), task('b1')]);
  const next = task('a2');
  await vi.advanceTimersByTimeAsync(499);
  expect(done).toEqual(['a1', 'b1']);
  await vi.advanceTimersByTimeAsync(1);
  await next;
  expect(done).toEqual(['a1', 'b1', 'a2']);
});
