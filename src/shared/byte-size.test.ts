import { expect, test } from 'vitest';
import { formatByteSize, parseByteSize } from './byte-size.ts';

test.each([
  ['0', 0],
  ['750000000', 750_000_000],
  ['500MB', 500_000_000],
  ['500 mb', 500_000_000],
  ['1.5GB', 1_500_000_000],
  ['2GiB', 2 * 2 ** 30],
  [' 64MiB ', 64 * 2 ** 20],
  ['1TB', 1e12],
])('parses %j as %d bytes', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each(['', 'MB', '-1', '1,5GB', '5 apples', '3%', 'Infinity', '0x10', '1e9', '99999999999TB'])(
  'returns null for %j, which is not a valid size',
  (text) => {
    expect(parseByteSize(text)).toBeNull();
  },
);

test('formats a size in KB, MB, GB or TB with at most one decimal', () => {
  expect([500_000_000, 1e9, 1_500_000_000, 7_680_044, 2e12, 800].map(formatByteSize)).toEqual([
    '500 MB',
    '1 GB',
    '1.5 GB',
    '7.7 MB',
    '2 TB',
    '0.8 KB',
  ]);
});
