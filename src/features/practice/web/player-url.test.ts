import { expect, test } from 'vitest';
import { buildPlayerSearchParams, getPlayerUrl, parsePlayerStart } from './player-url.ts';

const startOf = (address: string) => parsePlayerStart(new URLSearchParams(address.split('?')[1]));

test('a URL can set the player’s line, speed or position', () => {
  expect(getPlayerUrl(7, { line: 2, rate: 0.75 })).toBe('/melodies?play=7&line=3&speed=0.75');
  expect(startOf(getPlayerUrl(7, { line: 2, rate: 0.75 }))).toEqual({ at: null, line: 2, rate: 0.75 });
  expect(getPlayerUrl(7, { line: null })).toBe('/melodies?play=7');
  expect(startOf('/melodies?play=7&at=12.5')).toEqual({ at: 12.5, line: null, rate: null });
});

test('ignores invalid values in a URL', () => {
  const nothing = { at: null, line: null, rate: null };
  for (const typed of ['', 'x', '-1', '1e3', '0x2', '1234567', 'Infinity', '3.'])
    expect(startOf(`/?at=${typed}&line=${typed}&speed=${typed}`)).toEqual(nothing);
  expect(startOf('/?line=0&speed=9')).toEqual(nothing);
  expect(startOf('/?line=1.5&speed=0.1')).toEqual(nothing);
});

test('the URL of another melody drops the previous line, speed and position', () => {
  const before = new URLSearchParams('q=om&play=7&line=3&speed=0.5&at=2');
  expect(String(buildPlayerSearchParams(before, '8'))).toBe('q=om&play=8');
  expect(String(buildPlayerSearchParams(before, null))).toBe('q=om');
});
