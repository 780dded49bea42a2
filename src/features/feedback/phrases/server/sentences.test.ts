import { expect, test } from 'vitest';
import { CHARACTERS_SEARCHED } from '../limits.ts';
import { filledFor } from '../placeholder.ts';
import { offeredFrom } from './sentences.ts';

const tashi = { firstName: 'Tashi', username: 'tashi.dolma' };
const nameless = { firstName: null, username: 'karma' };

test('what was written to one student is offered for another, the most frequent first', () => {
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

test('a name is filled in as it is', () => {
  expect(filledFor({ firstName: '$& Pema', username: 'pema' }, 'So, {name}: {name}!')).toBe(
    'So, $& Pema: $& Pema!',
  );
  expect(filledFor({ firstName: ' ', username: 'pema' }, '{name}')).toBe('pema');
});

test('single words, what is too long, and spaces are not offered', () => {
  expect(offeredFrom([{ student: tashi, texts: ['Good.', '', `${'so '.repeat(400)}`] }])).toEqual([]);
});

test('very long answers are not all looked through', () => {
  const long = { student: tashi, texts: ['o'.repeat(CHARACTERS_SEARCHED - 10)] };
  const before = { student: tashi, texts: ['Not looked at any more.'] };
  expect(offeredFrom([long, before])).toEqual([]);
});
