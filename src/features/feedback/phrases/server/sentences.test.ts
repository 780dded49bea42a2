import { expect, test } from 'vitest';
import { CHARACTERS_SEARCHED } from '../limits.ts';
import { filledFor } from '../placeholder.ts';
import { offeredFrom } from './sentences.ts';

const tashi = { firstName: 'Tashi', username: 'tashi.dolma' };
const nameless = { firstName: null, username: 'karma' };

test('offers sentences with the name replaced, the most frequent first', () => {
  const offered = offeredFrom([
    { student: tashi, texts: ['Tashi, breathe before the third line. Well done!', 'Softer here'] },
    { student: nameless, texts: ['karma, breathe before the third line.\nTashilhunpo sings it so.'] },
  ]);
  expect(offered.map(({ text }) => text)).toEqual([
    '{name}, breathe before the third line.',
    'Well done!',
    'Softer here',
    'Tashilhunpo sings it so.',
  ]);
  expect(filledFor(nameless, offered[0]!.text)).toBe('karma, breathe before the third line.');
});

test('fills in a name literally', () => {
  expect(filledFor({ firstName: '$& Pema', username: 'pema' }, 'So, {name}: {name}!')).toBe(
    'So, $& Pema: $& Pema!',
  );
  expect(filledFor({ firstName: ' ', username: 'pema' }, '{name}')).toBe('pema');
});

test('does not offer single words, blanks or sentences that are too long', () => {
  expect(offeredFrom([{ student: tashi, texts: ['Good.', '', `${'so '.repeat(400)}`] }])).toEqual([]);
});

test('stops searching after a limit of characters', () => {
  const long = { student: tashi, texts: ['o'.repeat(CHARACTERS_SEARCHED - 10)] };
  const before = { student: tashi, texts: ['Not looked at any more.'] };
  expect(offeredFrom([long, before])).toEqual([]);
});
