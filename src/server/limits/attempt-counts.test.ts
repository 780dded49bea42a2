import { expect, test } from 'vitest';
import {
  isAttemptLimitReached,
  sumAttemptCountsByScope,
  type AddressAttemptCount,
} from './attempt-counts.ts';

const minute = (at: number) => new Date(Date.UTC(2026, 0, 1, 12, at));
const failed = (address: string, count: number, latest = minute(0)): AddressAttemptCount => ({
  ...{ address, count, latest },
  pending: 0,
  isSubject: true,
});
const onOtherSubject = (row: AddressAttemptCount) => ({ ...row, isSubject: false });
const counts = (tallies: { count: number }[]) => tallies.map(({ count }) => count);

test('counts the attempts of an IPv6 client per /64, /56 and /48', () => {
  const rows = [
    failed('2001:db8:1:200::/64', 1),
    failed('2001:db8:1:2ff::/64', 2),
    failed('2001:db8:1:300::/64', 4),
    failed('2001:db8:2:200::/64', 8),
    onOtherSubject(failed('2001:db8:1:200::/64', 16)),
  ];
  const tallies = sumAttemptCountsByScope(rows, '2001:db8:1:200::1');
  expect(tallies.subject.count).toBe(15);
  expect(counts(tallies.subjectFromNetworks)).toEqual([1, 3, 7]);
  expect(counts(tallies.networks)).toEqual([17, 19, 23]);
});

test('allows a /56 twice and a /48 four times the attempts of a /64', () => {
  const used = (...networks: number[]) =>
    isAttemptLimitReached(
      10,
      networks.map((count) => ({ count, pending: 0, latest: null })),
    );
  expect([used(9, 19, 39), used(10, 10, 10), used(0, 20, 20), used(0, 0, 40)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test('networks with many failures do not delay networks with few failures', () => {
  const rows = [failed('192.0.2.1', 4, minute(9)), failed('192.0.2.2', 3, minute(5)), failed('192.0.2.3', 1)];
  const peersOf = (address: string) => sumAttemptCountsByScope(rows, address).subjectFromPeers.latest;
  expect(peersOf('192.0.2.99')).toEqual(minute(5));
  expect(peersOf('192.0.2.3')).toEqual(minute(5));
  expect(peersOf('192.0.2.1')).toEqual(minute(9));
  expect(peersOf('192.0.2.2')).toEqual(minute(9));
});

test('counts the failures within an IPv6 /48 as those of one network', () => {
  const rows = [failed('2001:db8:1:1::/64', 2, minute(1)), failed('2001:db8:1:200::/64', 2, minute(2))];
  expect(sumAttemptCountsByScope(rows, '2001:db8:9::1').subjectFromPeers.latest).toBeNull();
});

test('pending attempts from a network with many failures do not delay other networks', () => {
  const rows = [
    { ...failed('192.0.2.1', 10), pending: 5 },
    { ...failed('192.0.2.2', 0), pending: 1 },
  ];
  expect(sumAttemptCountsByScope(rows, '192.0.2.99').subjectFromPeers.pending).toBe(1);
  expect(sumAttemptCountsByScope(rows, '192.0.2.1').subjectFromPeers.pending).toBe(5);
});
