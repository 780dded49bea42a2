import { expect, test } from 'vitest';
import { splitSyllables } from './split-syllables.ts';

test('splits a line in Latin letters into one syllable per vowel', () => {
  const sung = (words: string) => splitSyllables(words).join(' ');
  expect(sung('Dak gi jin sok gyi pe sönam kyi')).toBe('Dak gi jin sok gyi pe sö nam kyi');
  expect(sung('HUNG ORGYEN YUL GYI NUBJANG TSAM')).toBe('HUNG OR GYEN YUL GYI NUB JANG TSAM');
  expect(sung('Yatsen chok gi ngödrub nye')).toBe('Ya tsen chok gi ngö drub nye');
  expect(sung('Khor du khandro mangpö kor,')).toBe('Khor du khan dro mang pö kor');
  expect(sung('OM AH HUNG')).toBe('OM AH HUNG');
  expect(sung('Hrī, mm!')).toBe('Hrī mm');
});

test('splits a line in Tibetan script at each tsheg', () => {
  expect(splitSyllables('པདྨ་གེ་སར་སྡོང་པོ་ལ༔')).toEqual(['པདྨ', 'གེ', 'སར', 'སྡོང', 'པོ', 'ལ']);
  expect(splitSyllables('སངས་རྒྱས། ཆོས།')).toEqual(['སངས', 'རྒྱས', 'ཆོས']);
});

test('returns no syllables for a line without words', () => {
  expect(splitSyllables('… — 12')).toEqual([]);
});
