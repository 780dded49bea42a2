import { describe, expect, test } from 'vitest';
import { findStudentNames, removeStudentNames } from './remove-student-names.ts';

const tashi = { firstName: 'Tashi', lastName: 'Dolma', username: 'tashi.dolma' };
const sonam = { firstName: 'Sonam', lastName: 'Lhamo', username: 'sonam.lhamo' };

describe('names in Latin script', () => {
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
  ])('removes the student’s name: %j becomes %j', (text, words) =>
    expect(removeStudentNames(text, tashi)).toBe(words),
  );

  test.each([
    ['Tashi’s breath is short', 'The breath is short'],
    ["Listen to Tashi's breath", 'Listen to the breath'],
    ['Listen to Tashi Dolma’s breath', 'Listen to the breath'],
  ])('replaces a name in the possessive with an article: %j becomes %j', (text, words) =>
    expect(removeStudentNames(text, tashi)).toBe(words),
  );

  test('removes a name that is written with different accents', () => {
    expect(removeStudentNames('Sönam, rise', sonam)).toBe('Rise');
  });

  test('removes the username if the student has no name', () => {
    expect(removeStudentNames('pema2, rise', { firstName: null, lastName: ' ', username: 'pema2' })).toBe(
      'Rise',
    );
  });
});

test.each([
  'Rise on sönam, and on lhamo',
  'Rise on “SÖNAM LHAMO”',
  'In Sonamling one sings so',
  'As in Sonam-drak',
  'O’Sonam sings so',
  'pema jungne',
])('keeps words that are not clearly the student’s name: %j', (text) =>
  expect(removeStudentNames(text, sonam)).toBe(text),
);

test('does not remove a name that is a single initial', () => {
  expect(removeStudentNames('A breath, K.', { firstName: 'A', lastName: 'K.', username: 'ak' })).toBe(
    'A breath, K.',
  );
});

test('removes a Tibetan name that addresses the student, but not within a sung line', () => {
  const student = { firstName: 'བཀྲ་ཤིས་', lastName: 'སྒྲོལ་མ (Dolma)', username: 'tashi' };
  expect(removeStudentNames('བཀྲ་ཤིས་ལགས། འདི་ལ་དབུགས་ལེན།', student)).toBe('འདི་ལ་དབུགས་ལེན།');
  expect(removeStudentNames('བཀྲ་ཤིས་སྒྲོལ་མ། ལེགས་སོ།', student)).toBe('ལེགས་སོ།');
  expect(removeStudentNames('Dolma, rise', student)).toBe('Rise');
  for (const line of ['བཀྲ་ཤིས་བདེ་ལེགས།', 'རྗེ་བཙུན་སྒྲོལ་མ་ལ་ཕྱག་འཚལ།'])
    expect(removeStudentNames(line, student)).toBe(line);
});

test('findStudentNames finds names that remain in the text or were typed again', () => {
  expect(findStudentNames('Rise on sönam, Pema', sonam)).toEqual(['sönam']);
  expect(findStudentNames('Rise on pema', sonam)).toEqual([]);
  expect(findStudentNames('སྒྲོལ་མའི་དབྱངས།', { ...sonam, lastName: 'སྒྲོལ་མ' })).toEqual(['སྒྲོལ་མ']);
});
