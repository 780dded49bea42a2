import { expect, test } from 'vitest';
import { getPlayedMelodyId } from './played-melody.ts';

const parsePlayedMelodyId = (search: string) => getPlayedMelodyId(new URLSearchParams(search));

test('reads a valid melody id from a URL’s query, and ignores invalid ids', () => {
  expect([
    parsePlayedMelodyId('?play=7'),
    parsePlayedMelodyId('q=om&play=70&line=3'),
    parsePlayedMelodyId('?play=%37'),
  ]).toEqual([7, 70, 7]);
  for (const typed of [
    '',
    '?play=',
    '?play=0',
    '?play=-1',
    '?play=1e3',
    '?play=1234567890',
    '?play=x&play=7',
    '?replay=7',
  ])
    expect(parsePlayedMelodyId(typed), typed).toBeNull();
});
