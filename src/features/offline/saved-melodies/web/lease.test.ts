import { expect, test } from 'vitest';
import { isLeaseExpired, getLeaseEnd, createLease } from './lease.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-23T09:00:00Z');
const manifest = { at: '2026-11-23T09:00:00.000Z', until: '2026-12-23T09:00:00.000Z' };

test('a lease starts at the last contact and lasts as long as the server allows', () => {
  const lease = createLease(manifest, NOW);
  expect(getLeaseEnd(lease, NOW)).toBe(NOW + 30 * DAY);
  expect(isLeaseExpired(lease, NOW + 30 * DAY - 1)).toBe(false);
  expect(isLeaseExpired(lease, NOW + 30 * DAY)).toBe(true);
});

test('a wrong device clock does not change the length of a lease', () => {
  const tenYearsOn = NOW + 3650 * DAY;
  const lease = createLease(manifest, tenYearsOn);
  expect(isLeaseExpired(lease, tenYearsOn + 29 * DAY)).toBe(false);
  expect(isLeaseExpired(lease, tenYearsOn + 30 * DAY)).toBe(true);
});

test('turning the clock back does not extend a lease', () => {
  const lease = { ...createLease(manifest, NOW), latest: NOW + 20 * DAY };
  expect(getLeaseEnd(lease, NOW)).toBe(NOW + 10 * DAY);
  expect(getLeaseEnd(lease, NOW - 400 * DAY)).toBe(NOW - 390 * DAY);
  expect(isLeaseExpired({ ...lease, latest: NOW + 30 * DAY }, NOW - 400 * DAY)).toBe(true);
});
