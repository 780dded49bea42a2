import { describe, expect, test } from 'vitest';
import { namesIn, withoutNames } from './without-names.ts';

const tashi = { firstName: 'Tashi', lastName: 'Dolma', username: 'tashi.dolma' };
const sonam = { firstName: 'Sonam', lastName: 'Lhamo', username: 'sonam.lhamo' };

describe('the name of the student is taken out of what was said', () => {
  test.each([
    ['Tashi, rise on sönam', 'Rise on sönam'],
    ['Tashi Dolma: softer.', 'Softer.'],
    ['tashi, softer', 'Softer'],
    ['TASHI! softer', 'Softer'],
    ['Tashi-la, a breath here', 'A breath here'],
    ['Very good, Tashi!', 'Very good!'],
    ['Very good Tashi', 'Very good'],
    ['Here, Tashi, rise.', 'Here, rise.'],
    ['Softer. Tashi, listen to the end.', 'Softer. Listen to the end.'],
    ['Here Dolma rises too early', 'Here rises too early'],
    ['Tashi, Tashi, rise', 'Rise'],
    ['“Tashi, rise”', '“Rise”'],
    ['First line.\nTashi, the second.', 'First line.\nThe second.'],
    ['Tashi', ''],
    ['', ''],
  ])('%j becomes %j', (text, words) => expect(withoutNames(text, tashi)).toBe(words));

  test.each([
    ['Tashi’s breath is short', 'The breath is short'],
    ["Listen to Tashi's breath", 'Listen to the breath'],
    ['Listen to Tashi Dolma’s breath', 'Listen to the breath'],
  ])('what is theirs is anybody’s: %j becomes %j', (text, words) =>
    expect(withoutNames(text, tashi)).toBe(words),
  );

  test('accents make no other name of it', () => {
    expect(withoutNames('Sönam, rise', sonam)).toBe('Rise');
  });

  test('who has no name is called by the username', () => {
    expect(withoutNames('pema2, rise', { firstName: null, lastName: ' ', username: 'pema2' })).toBe('Rise');
  });
});

test.each([
  'Rise on sönam, and on lhamo',
  'Rise on “SÖNAM LHAMO”',
  'In Sonamling one sings so',
  'As in Sonam-drak',
  'O’Sonam sings so',
  'pema jungne',
])('what is sung, or a part of another word, stays: %j', (text) =>
  expect(withoutNames(text, sonam)).toBe(text),
);

test('an initial is no name', () => {
  expect(withoutNames('A breath, K.', { firstName: 'A', lastName: 'K.', username: 'ak' })).toBe(
    'A breath, K.',
  );
});

test('a name in Tibetan is taken out where it calls somebody, and stays within a line', () => {
  const student = { firstName: 'བཀྲ་ཤིས་', lastName: 'སྒྲོལ་མ (Dolma)', username: 'tashi' };
  expect(withoutNames('བཀྲ་ཤིས་ལགས། འདི་ལ་དབུགས་ལེན།', student)).toBe('འདི་ལ་དབུགས་ལེན།');
  expect(withoutNames('བཀྲ་ཤིས་སྒྲོལ་མ། ལེགས་སོ།', student)).toBe('ལེགས་སོ།');
  expect(withoutNames('Dolma, rise', student)).toBe('Rise');
  for (const line of ['བཀྲ་ཤིས་བདེ་ལེགས།', 'རྗེ་བཙུན་སྒྲོལ་མ་ལ་ཕྱག་འཚལ།'])
    expect(withoutNames(line, student)).toBe(line);
});

test('a name that is left, or typed again, is noticed', () => {
  expect(namesIn('Rise on sönam, Pema', sonam)).toEqual(['sönam']);
  expect(namesIn('Rise on pema', sonam)).toEqual([]);
  expect(namesIn('སྒྲོལ་མའི་དབྱངས།', { ...sonam, lastName: 'སྒྲོལ་མ' })).toEqual(['སྒྲོལ་མ']);
});
