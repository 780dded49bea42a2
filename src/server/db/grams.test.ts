import { expect, test } from 'vitest';
import { gramsOf, gramsOfWord } from './grams.ts';

const TEXTS = ['sangye cho dang', 'བླ་མ་མཁྱེན་ནོ། ཀུན།', 'мой учитель', '100% muni_muni a\\b', '𑀓𑀔 x'];

test.each(TEXTS)('the text has the grams of whatever part of a word of %j is searched for', (text) => {
  const all = new Set(gramsOf(text));
  for (const word of text.split(' '))
    for (let start = 0; start < word.length; start += 1)
      for (let end = start + 1; end <= word.length; end += 1)
        expect(gramsOfWord(word.slice(start, end)).every((gram) => all.has(gram))).toBe(true);
});

test('a text does not have the grams of what it does not contain', () => {
  for (const text of TEXTS) {
    const all = new Set(gramsOf(text));
    for (const word of ['q', 'zzz', 'ཛྙཱ', 'gyc'])
      expect(gramsOfWord(word).some((gram) => !all.has(gram))).toBe(true);
  }
});

test('grams are hashed as in the database, without duplicates', () => {
  const grams = gramsOf('༼༽'.repeat(50) + 'kyab su chi wo '.repeat(50));
  expect(grams.length).toBe(new Set(grams).size);
  expect(grams.length).toBeLessThan(50);
  for (const gram of grams) expect(gram).toBe(gram | 0);
});
