import { fc } from '#testing/properties.ts';

const TAGS = ['bo: ', 'en: ', 'ph: ', 'tr: ', 'de:', 'BO :', 'om: ', 'en'];
const BETWEEN = [':', '：', ' ', '\t', '\n', '\r\n', '\r', '\n\n', '\ufeff', '\u2028', '\0', '\ud83d'];
const WORDS = ['[00:10.00]', '<b>', 'ཨོཾ་མ་ཎི', '།', 'ཧྲཱིཿ', 'Om mani', 'hung', 'é', '漢'];

/** Arbitrary text made of tags, words, line ends and stray characters. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...TAGS),
      fc.constantFrom(...BETWEEN),
      fc.constant('\n'),
      fc.constantFrom(...WORDS),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));
