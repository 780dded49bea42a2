import { expect, test } from 'vitest';
import { EXCERPT_MAX, excerptOf, listedMelodyOf } from './listed-melody.ts';

test('a short description is its own excerpt', () => {
  for (const text of [null, 'Of the morning', 'ཀ'.repeat(EXCERPT_MAX)]) expect(excerptOf(text)).toBe(text);
});

test.each([
  ['between two words', 'word '.repeat(30), `${'word '.repeat(24).trimEnd()}…`],
  ['between two Tibetan syllables', 'བླ་མ་'.repeat(40), `${'བླ་མ་'.repeat(24)}…`],
  ['anywhere in a single long word', '🎵'.repeat(200), `${'🎵'.repeat(EXCERPT_MAX)}…`],
])('a longer description is cut %s', (_where, text, excerpt) => {
  expect(excerptOf(text)).toBe(excerpt);
  // The same after the database has already cut it.
  expect(excerptOf([...text].slice(0, EXCERPT_MAX + 1).join(''))).toBe(excerpt);
});

test('a listed melody has the length of its text in bytes', () => {
  expect(listedMelodyOf({ id: 1, description: null, melodyText: 'ཨོཾ' })).toEqual({
    id: 1,
    excerpt: null,
    textBytes: 9,
  });
});
