import { afterEach, describe, expect, test, vi } from 'vitest';
import { formatTimeAgo } from './time-ago.tsx';

// Some tests set another time zone, because the default of all tests, Asia/Kathmandu, has no daylight saving
// time.
afterEach(() => vi.unstubAllEnvs());

/** Formats a time relative to `now`. Both are local times in the reader's time zone. */
const ago = (from: string, now: string) => formatTimeAgo(new Date(from), new Date(now));

describe('formatTimeAgo', () => {
  test.each([
    ['2026-11-21T11:59:30', 'just now'],
    ['2026-11-21T11:55', '5 minutes ago'],
    ['2026-11-21T00:10', '11 hours ago'],
    ['2026-11-20T13:00', '23 hours ago'],
    ['2026-11-20T11:00', 'yesterday'],
    ['2026-11-20T00:10', 'yesterday'],
    ['2026-11-19T23:50', '2 days ago'],
    ['2026-11-19T16:00', '2 days ago'],
    ['2026-11-15T08:00', '6 days ago'],
    ['2026-11-14T23:00', 'last week'],
    ['2026-10-01T08:00', 'last month'],
    ['2024-10-01T08:00', '2 years ago'],
  ])('at noon on November 21, 2026, formats %s as “%s”', (from, said) => {
    expect(ago(from, '2026-11-21T12:00')).toBe(said);
  });

  test('counts calendar days: just after midnight, 44 hours ago is “2 days ago”', () => {
    expect(ago('2026-11-19T04:05', '2026-11-21T00:05')).toBe('2 days ago');
    expect(ago('2026-11-20T23:50', '2026-11-21T00:05')).toBe('15 minutes ago');
    expect(ago('2026-11-20T00:01', '2026-11-21T23:59')).toBe('yesterday');
  });

  test('counts days of 23 or 25 hours as whole days', () => {
    vi.stubEnv('TZ', 'Europe/Zurich');
    expect(ago('2026-03-28T12:00', '2026-03-29T23:00')).toBe('yesterday');
    expect(ago('2026-03-27T23:30', '2026-03-29T23:30')).toBe('2 days ago');
    expect(ago('2026-10-24T00:30', '2026-10-25T23:30')).toBe('yesterday');
    expect(ago('2026-10-23T23:30', '2026-10-25T00:10')).toBe('2 days ago');
  });
});
