import { expect, test } from 'vitest';
import { MAX_CHARACTERS_SEARCHED } from '../limits.ts';
import { fillPlaceholder } from '../placeholder.ts';
import { suggestSentences } from './sentences.ts';

const tashi = { firstName: 'Tashi', username: 'tashi.dolma' };
const nameless = { firstName: null, username: 'karma' };

test('suggests sentences with the student’s name replaced, most frequent first', () => {
  const offered = suggestSentences([
    { student: tashi, texts: ['Tashi, breathe before the third line. Well done!', 'Softer here'] },
    { student: nameless, texts: ['karma, breathe before the third line.\nTashilhunpo sings it so.'] },
  ]);
  expect(offered.map(({ text }) => text)).toEqual([
    '{name}, breathe before the third line.',
    'Well done!',
    'Softer here',
    'Tashilhunpo sings it so.',
  ]);
  expect(fillPlaceholder(nameless, offered[0]!.text)).toBe('karma, breathe before the third line.');
});

test('inserts the student’s name literally, even if the name contains “$&”', () => {
  expect(fillPlaceholder({ firstName: '$& Pema', username: 'pema' }, 'So, {name}: {name}!')).toBe(
    'So, $& Pema: $& Pema!',
  );
  expect(fillPlaceholder({ firstName: ' ', username: 'pema' }, '{name}')).toBe('pema');
});

test('does not suggest single words, empty text or sentences that are too long', () => {
  expect(suggestSentences([{ student: tashi, texts: ['Good.', '', `${'so '.repeat(400)}`] }])).toEqual([]);
});

test('stops searching earlier feedback at the character limit', () => {
  const long = { student: tashi, texts: ['o'.repeat(MAX_CHARACTERS_SEARCHED - 10)] };
  const before = { student: tashi, texts: ['Not looked at any more.'] };
  expect(suggestSentences([long, before])).toEqual([]);
});
