import { expect, test, vi } from 'vitest';
import { createRejectionSampler } from './rejection-sampler.ts';

test('logs ten rejections per network and reports how many were left out', () => {
  const report = vi.fn();
  const sampler = createRejectionSampler(report);
  const samples = (address: string, times: number) =>
    Array.from({ length: times }, () => sampler.sample(address)).filter(Boolean).length;
  expect(samples('192.0.2.1', 25)).toBe(10);
  expect(samples('192.0.2.2', 3)).toBe(3);
  sampler.flush();
  expect(report.mock.calls).toEqual([['192.0.2.1', 15]]);
  expect(samples('192.0.2.1', 3)).toBe(3);
});

test('counts the rejections of an IPv6 /48 as those of one network', () => {
  const sampler = createRejectionSampler(() => undefined);
  const addresses = Array.from({ length: 25 }, (_, i) => `2001:db8:1:${i}::1`);
  expect(addresses.filter((address) => sampler.sample(address))).toHaveLength(10);
});

test('counts the rejections of a thousand networks separately, and all others together', () => {
  const report = vi.fn();
  const sampler = createRejectionSampler(report);
  const sampled = Array.from({ length: 1500 }, (_, i) => sampler.sample(`10.0.${i >> 8}.${i % 256}`));
  expect(sampled.filter(Boolean)).toHaveLength(1010);
  sampler.flush();
  expect(report.mock.calls).toEqual([['others', 490]]);
});
