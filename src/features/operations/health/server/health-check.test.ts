import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHealthCheck } from './health-check.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<void>(() => undefined);

test('concurrent callers share one run of a check', async () => {
  const check = vi.fn(() => Promise.resolve());
  const shared = createHealthCheck(check);
  expect(await Promise.all([shared.run(), shared.run()])).toEqual(['ok', 'ok']);
  expect(check).toHaveBeenCalledTimes(1);
  await shared.run();
  expect(check).toHaveBeenCalledTimes(2);
});

test('the result of a check is reused until it expires', async () => {
  const check = vi.fn(() => Promise.resolve());
  const shared = createHealthCheck(check, { okMs: 5_000, failedMs: 1_000 });
  const results = async (times: number) => {
    const found = [];
    for (let i = 0; i < times; i += 1) {
      found.push(await shared.run());
      vi.advanceTimersByTime(999);
    }
    return found;
  };
  expect(await results(5)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  expect(check).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10);
  check.mockRejectedValueOnce(new Error('away'));
  expect(await results(3)).toEqual(['failed', 'failed', 'ok']);
});

test('the latency is that of the last completed check', async () => {
  const shared = createHealthCheck(() => new Promise<void>((resolve) => setTimeout(resolve, 300)));
  expect(shared.getLatencyMs()).toBeNull();
  const running = shared.run();
  await vi.advanceTimersByTimeAsync(300);
  await running;
  expect(shared.getLatencyMs()).toBe(300);
});

test('a check that hangs is reported as slow at first, as failed after five seconds', async () => {
  const shared = createHealthCheck(never);
  const ask = async () => {
    const asked = shared.run();
    await vi.advanceTimersByTimeAsync(900);
    return asked;
  };
  const first = await Promise.all([ask(), ask()]);
  expect(first).toEqual(['slow', 'slow']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await ask()).toBe('failed');
});

test('a slow check counts as failed if the previous run failed', async () => {
  const check = vi.fn(never).mockRejectedValueOnce(new Error('away'));
  const shared = createHealthCheck(check);
  expect(await shared.run()).toBe('failed');
  const asked = shared.run();
  await vi.advanceTimersByTimeAsync(900);
  expect(await asked).toBe('failed');
});
