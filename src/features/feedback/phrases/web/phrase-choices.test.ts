import { expect, test } from 'vitest';
import { getPhraseChoices, findTypedSlash } from './phrase-choices.ts';

const at = (typed: string) => findTypedSlash(typed.replace('|', ''), typed.indexOf('|'))?.query ?? null;

test('only a slash at the beginning of a word opens the list of phrases', () => {
  expect(['/|', 'Well. /br|', 'One\n/br|', '/br| and on', 'ལ /སྐྱ|'].map(at)).toEqual([
    '',
    'br',
    'br',
    'br',
    'སྐྱ',
  ]);
  expect(
    ['1/2|', 'and/or|', '/usr/bin|', '/br |', '|/br', '/b|r', 'no', `/${'a'.repeat(31)}|`].map(at),
  ).toEqual(Array.from({ length: 8 }, () => null));
});

test('lists phrases that match by name, then by text, then sentences from feedback', () => {
  const phrase = (name: string, text: string) => ({ id: name.length, name, text });
  const phrases = [
    phrase('Breath', 'Let it end.'),
    phrase('high', 'Brighter, {name}.'),
    phrase('hum', 'Hum.'),
  ];
  const offered = [{ text: 'Let it end.' }, { text: 'Keep the breath low.' }, { text: 'Umbrella.' }];
  expect(getPhraseChoices('br', phrases, offered).map(({ name, text }) => name ?? text)).toEqual([
    'Breath',
    'high',
    'Keep the breath low.',
  ]);
  expect(getPhraseChoices('', phrases, offered)).toHaveLength(5);
  expect(getPhraseChoices('zz', phrases, offered)).toEqual([]);
});
