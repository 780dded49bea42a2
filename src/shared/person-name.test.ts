import { describe, expect, test } from 'vitest';
import {
  MIXED_SCRIPTS_MESSAGE,
  NAME_WITHOUT_LETTERS_MESSAGE,
  createPersonNameSchema,
  TOO_MANY_ACCENTS_MESSAGE,
} from './person-name.ts';
import { emailAddress } from './schemas.ts';

const name = createPersonNameSchema(100, 'Please enter your full name.');
const sentences = (typed: string) => name.safeParse(typed).error?.issues.map(({ message }) => message);

test.each([
  'O’Brien',
  "Sinéad O'Connor",
  'Jean-Luc N’Diaye',
  'Nguyễn Văn Thiệu',
  'Łukasz Müller, Jr.',
  'M.ª José',
  'Ṛṣi Śāntideva',
  'Ngawang བཀྲ་ཤིས',
  'བསྟན་འཛིན་རྒྱ་མཚོ།',
  'རྡོ་རྗེ་སེམས་དཔའ',
  // The mantra of Kalachakra: eight letters and marks in one stack.
  'ཧྐྵྨླྺྼྻྃ',
  'Д’Артаньян',
  'Ольга Ивановна Петрова',
  'Ἀλέξανδρος Παπαδόπουλος',
  'Անի Հակոբյան',
  'გიორგი',
  'עַבְרִית שָׂרָה',
  'שרה\u200f',
  'محمّد الأمين',
  'می\u200cخواهم',
  'क्\u200dष नमस्\u200cते',
  'ലക്ഷ്മി',
  'สมชาย ใจดี',
  'မြွှို့',
  'ក្រុម ស្រី',
  'ᠴᠢᠩᠭᠢᠰ',
  '王伟 Wang Wei',
  '李Lee',
  '山田 タロウ',
  'ジョン・スミス',
  '김민준',
  'Lhamo 2 🙏🏽',
  // Not an everyday script, but the whole name is in this one script.
  'ᏣᎳᎩ',
])('accepts the name %s unchanged', (typed) => {
  expect(name.parse(typed)).toBe(typed);
});

describe('normalization', () => {
  test.each([
    ['a zero-width space', 'Ta\u200bshi'],
    ['a joiner between Latin letters', 'Ta\u200dsh\u200ci'],
    ['a word joiner', 'Ta\u2060shi'],
    ['a byte order mark', '\ufeffTashi'],
    ['a soft hyphen', 'Ta\u00adshi'],
    ['a Mongolian vowel separator', 'Ta\u180eshi'],
    ['a variation selector', 'Ta\ufe0fshi\u{e0101}'],
    ['tag characters', 'Tashi\u{e0041}\u{e007f}'],
    ['direction marks', '\u200eTa\u200fshi\u061c'],
    ['direction overrides', '\u202eTa\u2066shi\u202c'],
    ['fillers', 'Ta\u3164sh\uffa0i\u115f'],
    ['the blank Braille pattern', 'Tashi\u2800'],
    ['full-width letters', 'Ｔａｓｈｉ'],
    ['bold letters', '𝐓𝐚𝐬𝐡𝐢'],
    ['circled letters', 'Ⓣashi'],
  ])('a name with %s becomes plain “Tashi”', (_, typed) => {
    expect(name.parse(typed)).toBe('Tashi');
  });

  test('combines a letter and a separately typed accent into one character', () => {
    expect(name.parse('Nguyễn'.normalize('NFD'))).toBe('Nguyễn'.normalize('NFC'));
  });

  test('rejects a name of only invisible characters', () => {
    for (const typed of ['', '   ', '\u200b\u2060 \u3164'])
      expect(sentences(typed)).toEqual(['Please enter your full name.']);
  });
});

test.each([
  ['Cyrillic К', 'Кhandro'],
  ['Cyrillic а', 'Tаshi Dolma'],
  ['Greek ο', 'Dοlma'],
  ['Cyrillic within Greek', 'Ολгa'],
  ['Armenian օ', 'Pemօ'],
  ['Latin within Tibetan', 'བཀྲaཤིས'],
  ['Cherokee Ꭺ', 'Ꭺni'],
])('rejects a word that mixes scripts (%s)', (_, typed) => {
  expect(sentences(typed)).toEqual([MIXED_SCRIPTS_MESSAGE]);
});

test.each([
  ['Latin', `T${'\u0335\u0321\u0342\u0317\u030a'}ashi`],
  ['Tibetan', `ཀ${'\u0f71'.repeat(11)}`],
  ['no', '\u0301Tashi'],
])('rejects a stack of combining marks (%s base letter)', (_, typed) => {
  expect(sentences(typed)).toEqual([TOO_MANY_ACCENTS_MESSAGE]);
});

test.each(['...', '\u0301\u0301', '- —', '12345', '🙏'])(
  'rejects the name %j, which has no letter',
  (typed) => {
    expect(sentences(typed)).toEqual([NAME_WITHOUT_LETTERS_MESSAGE]);
  },
);

test('rejects an email with a lookalike or invisible character', () => {
  for (const typed of [
    'khаndro@example.org',
    'khandro@exаmple.org',
    'khandro@example.оrg',
    'kh\u200ba@example.org',
  ])
    expect(emailAddress.safeParse(typed).success).toBe(false);
});
