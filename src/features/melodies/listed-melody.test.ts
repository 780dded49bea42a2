import { expect, test } from 'vitest';
import { melodiesApi } from './contract.ts';
import { MAX_EXCERPT_LENGTH, createExcerpt, toListedMelody } from './listed-melody.ts';

test('the excerpt of a short description is the whole description', () => {
  for (const text of [null, 'Of the morning', 'ཀ'.repeat(MAX_EXCERPT_LENGTH)])
    expect(createExcerpt(text)).toBe(text);
});

test.each([
  ['between two words', 'word '.repeat(30), `${'word '.repeat(24).trimEnd()}…`],
  ['between two Tibetan syllables', 'བླ་མ་'.repeat(40), `${'བླ་མ་'.repeat(24)}…`],
  ['anywhere in a single long word', '🎵'.repeat(200), `${'🎵'.repeat(MAX_EXCERPT_LENGTH)}…`],
])('the excerpt of a longer description is cut %s', (_where, text, excerpt) => {
  expect(createExcerpt(text)).toBe(excerpt);
  // The excerpt is the same if the database has already cut the description.
  expect(createExcerpt([...text].slice(0, MAX_EXCERPT_LENGTH + 1).join(''))).toBe(excerpt);
});

test('a listed melody contains the length of its text in bytes', () => {
  expect(toListedMelody({ id: 1, description: null, melodyText: 'ཨོཾ' })).toEqual({
    id: 1,
    excerpt: null,
    textBytes: 9,
  });
});

test('a card that lacks fields is rejected, not reduced to its id', () => {
  const parse = (row: object) => melodiesApi.list.answers[200].safeParse([row]).success;
  expect(parse({ id: 7 })).toBe(true);
  expect(parse({ id: 7, title: 'Refuge' })).toBe(false);
});
