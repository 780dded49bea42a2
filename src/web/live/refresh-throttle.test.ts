import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefreshThrottle } from './refresh-throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('passes on the first URLs of a burst immediately and the rest as one batch', () => {
  const passed: (readonly string[])[] = [];
  const changes = createRefreshThrottle((addresses) => passed.push(addresses), 1000);
  for (let i = 0; i < 100; i += 1) changes.add(['/api/admin/users', '/api/admin/mail']);
  expect(passed).toEqual([['/api/admin/users', '/api/admin/mail']]);
  vi.advanceTimersByTime(999);
  expect(passed).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(passed).toHaveLength(2);
  changes.add(['/api/melodies']);
  vi.advanceTimersByTime(1000);
  expect(passed.slice(2)).toEqual([['/api/melodies']]);
  vi.advanceTimersByTime(1000);
  changes.add(['/api/melodies']);
  expect(passed).toHaveLength(4);
});

test('does not pass on pending changes after end()', () => {
  const passed: (readonly string[])[] = [];
  const changes = createRefreshThrottle((addresses) => passed.push(addresses), 1000);
  changes.add(['/api/melodies']);
  changes.add(['/api/feedback']);
  changes.end();
  vi.advanceTimersByTime(5000);
  expect(passed).toEqual([['/api/melodies']]);
});
