import { randomOf } from '#testing/random.ts';

const PIECES = [
  ...[
    'bo: ',
    'en: ',
    'ph: ',
    'tr: ',
    'de:',
    'BO :',
    'om: ',
    'en',
    ':',
    '：',
    ' ',
    '\t',
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\r',
  ],
  ...[
    '\n\n',
    '\ufeff',
    '\u2028',
    '\0',
    '\ud83d',
    '[00:10.00]',
    '<b>',
    'ཨོཾ་མ་ཎི',
    '།',
    'ཧྲཱིཿ',
    'Om mani',
    'hung',
    'é',
    '漢',
  ],
];

/** A text of tags, words, line ends and stray characters, the same for the same seed. */
export function randomText(seed: number): string {
  const random = randomFrom(seed);
  const length = Math.floor(random() * 60);
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
}

/** Numbers from 0 to 1, the same for the same seed. */
export const randomFrom = (seed: number) => randomOf(String(seed)).next;
