import { expect, test } from 'vitest';
import { getNgramHashes, getWordNgramHashes } from './ngrams.ts';

const TEXTS = ['sangye cho dang', 'བླ་མ་མཁྱེན་ནོ། ཀུན།', 'мой учитель', '100% muni_muni a\\b', '𑀓𑀔 x'];

test.each(TEXTS)('the n-grams of a text include those of every substring of its words: %j', (text) => {
  const all = new Set(getNgramHashes(text));
  for (const word of text.split(' '))
    for (let start = 0; start < word.length; start += 1)
      for (let end = start + 1; end <= word.length; end += 1)
        expect(getWordNgramHashes(word.slice(start, end)).every((gram) => all.has(gram))).toBe(true);
});

test('a text lacks at least one n-gram of a word that it does not contain', () => {
  for (const text of TEXTS) {
    const all = new Set(getNgramHashes(text));
    for (const word of ['q', 'zzz', 'ཛྙཱ', 'gyc'])
      expect(getWordNgramHashes(word).some((gram) => !all.has(gram))).toBe(true);
  }
});

test('n-gram hashes of a text are unique and fit PostgreSQL’s integer type', () => {
  const grams = getNgramHashes('༼༽'.repeat(50) + 'kyab su chi wo '.repeat(50));
  expect(grams.length).toBe(new Set(grams).size);
  expect(grams.length).toBeLessThan(50);
  for (const gram of grams) expect(gram).toBe(gram | 0);
});
