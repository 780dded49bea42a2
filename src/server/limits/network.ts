import { isIPv6 } from 'node:net';

/**
 * IPv6 networks, narrowest first: prefix length in bits, number of leading groups, and mask for the last of
 * these groups.
 */
const IPV6_NETWORKS = [
  { bits: 64, groups: 4, lastMask: 0xffff },
  { bits: 56, groups: 4, lastMask: 0xff00 },
  { bits: 48, groups: 3, lastMask: 0xffff },
];

/**
 * Returns the networks under which an address is counted, narrowest first. One person can use a whole IPv6 /64,
 * and often a /56 or a /48, so an IPv6 address counts in all three. IPv4 addresses count individually, even if
 * they are mapped into IPv6.
 * @param address the address of a client, or a network that this function returned
 */
export function getNetworks(address: string): [string, ...string[]] {
  const plain = address.replace(/[%/].*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1]) return [mapped[1]];
  if (!isIPv6(plain)) return [address];
  const groups = parseIpv6Groups(plain);
  return IPV6_NETWORKS.map(({ bits, groups: kept, lastMask }) => {
    const prefix = groups.slice(0, kept);
    prefix[kept - 1]! &= lastMask;
    return `${prefix.map((group) => group.toString(16)).join(':')}::/${bits}`;
  }) as [string, ...string[]];
}

/** Returns the narrowest network of an address: a /64 for IPv6, the address itself for IPv4. */
export const getNarrowestNetwork = (address: string): string => getNetworks(address)[0];

/** Returns the widest network of an address: a /48 for IPv6, the address itself for IPv4. */
export const getWidestNetwork = (address: string): string => getNetworks(address).at(-1)!;

function parseIpv6Groups(ipv6: string): number[] {
  const [head = '', tail = ''] = ipv6.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last].map((group) => parseInt(group, 16));
}
