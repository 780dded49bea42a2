import { expect, test } from 'vitest';
import { fc } from '#testing/properties.ts';
import { foldText, getSearchWords } from './search-words.ts';

test.each([
  ['CHÖ', 'cho'],
  ['Śākyamuni', 'sakyamuni'],
  ['tiếng Việt', 'tieng viet'],
  ['Ǿ', 'ø'],
  ['мой', 'мой'],
  ['ё и е', 'ё и е'],
  ['Ἅγιος', 'ἅγιος'],
  ['མཁྱེན', 'མཁྱེན'],
  ['\u0301', '\u0301'],
])('folds %s to %s, removing only Latin accents', (text, searched) => {
  expect(foldText(text)).toBe(searched);
  expect(foldText(text.normalize('NFD'))).toBe(searched);
});

const searchable = fc.oneof(
  fc.string({ unit: fc.constantFrom('ö', 'É', 'ø', 'a\u0301\u0323', 'й', 'Ж', 'ཀྱི', '་', ' ', 'x') }),
  fc.string({ unit: 'grapheme' }),
);

test('folding a folded text changes nothing', () => {
  const isStable = fc.property(searchable, (text) => {
    expect(foldText(foldText(text))).toBe(foldText(text));
  });
  fc.assert(isStable);
});

test('folds composed and decomposed accents to the same text', () => {
  const isFound = fc.property(searchable, (text) => {
    expect(foldText(text.normalize('NFD'))).toBe(foldText(text.normalize('NFC')));
  });
  fc.assert(isFound);
});

test('splits a query into at most eight unique, folded words', () => {
  const isOfWords = fc.property(searchable, (query) => {
    const words = getSearchWords(query);
    expect(words.length).toBeLessThanOrEqual(8);
    expect(words).toEqual([...new Set(words.map(foldText))]);
    expect(words.filter((word) => word === '' || /\s/.test(word))).toEqual([]);
  });
  fc.assert(isOfWords);
});

test('a query for the beginning of a word matches the word', () => {
  const words = fc.string({ unit: fc.constantFrom('ö', 'É', 'a', 'ཀྱི', 'x'), minLength: 1 });
  const isFound = fc.property(words, fc.nat(), (word, at) => {
    const beginning = [...word].slice(0, 1 + (at % [...word].length)).join('');
    expect(getSearchWords(beginning).every((searched) => foldText(word).startsWith(searched))).toBe(true);
  });
  fc.assert(isFound);
});
