import { expect, test } from 'vitest';
import { getNarrowestNetwork, getNetworks, getWidestNetwork } from './network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('attempts from %s count for the network %s', (address, counted) => {
  expect(getNarrowestNetwork(address)).toBe(counted);
});

test('counts an IPv6 address in its /64, /56 and /48, and an IPv4 address by itself', () => {
  const networks = ['2001:db8:1:2f3::/64', '2001:db8:1:200::/56', '2001:db8:1::/48'];
  expect(getNetworks('2001:db8:1:2f3::9')).toEqual(networks);
  expect(getNetworks('192.0.2.7')).toEqual(['192.0.2.7']);
});

test('treats a stored /64 like any address in it', () => {
  expect(getNetworks('2001:db8:1:2f3::/64')).toEqual(getNetworks('2001:db8:1:2f3::9'));
  expect(getWidestNetwork('192.0.2.7')).toBe('192.0.2.7');
});
