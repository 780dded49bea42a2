import { expect, test } from 'vitest';
import { syllablesOf } from './syllables-of.ts';

test('a line in Latin letters is sung in as many syllables as it has vowels', () => {
  const sung = (words: string) => syllablesOf(words).join(' ');
  expect(sung('Dak gi jin sok gyi pe sönam kyi')).toBe('Dak gi jin sok gyi pe sö nam kyi');
  expect(sung('HUNG ORGYEN YUL GYI NUBJANG TSAM')).toBe('HUNG OR GYEN YUL GYI NUB JANG TSAM');
  expect(sung('Yatsen chok gi ngödrub nye')).toBe('Ya tsen chok gi ngö drub nye');
  expect(sung('Khor du khandro mangpö kor,')).toBe('Khor du khan dro mang pö kor');
  expect(sung('OM AH HUNG')).toBe('OM AH HUNG');
  expect(sung('Hrī, mm!')).toBe('Hrī mm');
});

test('a line in Tibetan script is sung from tsheg to tsheg', () => {
  expect(syllablesOf('པདྨ་གེ་སར་སྡོང་པོ་ལ༔')).toEqual(['པདྨ', 'གེ', 'སར', 'སྡོང', 'པོ', 'ལ']);
  expect(syllablesOf('སངས་རྒྱས། ཆོས།')).toEqual(['སངས', 'རྒྱས', 'ཆོས']);
});

test('what has no words has no syllables', () => {
  expect(syllablesOf('… — 12')).toEqual([]);
});
