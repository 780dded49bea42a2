import { createRequiredSingleLineTextSchema } from './schemas.ts';

export const MIXED_SCRIPTS_MESSAGE =
  'This name mixes letters from different alphabets. Please type it again in one alphabet.';
export const TOO_MANY_ACCENTS_MESSAGE = 'This name has too many accents on one letter. Please remove some.';
export const NAME_WITHOUT_LETTERS_MESSAGE = 'Please enter a name with letters in it.';

/**
 * Schema for a person's name, which other people see. Drops invisible characters, replaces styled letters
 * with plain ones, and rejects names without letters and names that could pass for another person's. Follows
 * Unicode's UTS #39, https://www.unicode.org/reports/tr39/.
 */
export const createPersonNameSchema = (max: number, message: string) =>
  createRequiredSingleLineTextSchema(max, message, toPlainText).superRefine((name, context) => {
    const problem = name === '' ? null : findProblem(name);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });

function findProblem(name: string): string | null {
  if (!/\p{L}/u.test(name)) return NAME_WITHOUT_LETTERS_MESSAGE;
  if (hasTooManyMarks(name)) return TOO_MANY_ACCENTS_MESSAGE;
  return name.split(WORD_SEPARATORS).some(mixesScripts) ? MIXED_SCRIPTS_MESSAGE : null;
}

const toScriptClass = (scripts: readonly string[]) => scripts.map((script) => `\\p{scx=${script}}`).join('');

/** Scripts whose letters may be connected by invisible joiners. */
const JOINING_SCRIPTS = toScriptClass([
  ...[
    'Arabic',
    'Syriac',
    'Nko',
    'Mongolian',
    'Khmer',
    'Myanmar',
    'Sinhala',
    'Malayalam',
    'Kannada',
    'Telugu',
  ],
  ...['Tamil', 'Oriya', 'Gujarati', 'Gurmukhi', 'Bengali', 'Devanagari'],
]);
const RIGHT_TO_LEFT_SCRIPTS = toScriptClass(['Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Nko']);

/** Characters that can't be seen, except joiners and direction marks in scripts that need them. */
const INVISIBLE = new RegExp(
  [
    `(?<![${JOINING_SCRIPTS}])[\\u200c\\u200d]`,
    `[\\u200c\\u200d](?![${JOINING_SCRIPTS}])`,
    `(?<![${RIGHT_TO_LEFT_SCRIPTS}])[\\u200e\\u200f\\u061c]`,
    `(?![\\u200c-\\u200f\\u061c])[\\p{DI}\\p{Cf}]`,
  ].join('|'),
  'gu',
);

/** Bold, circled and full-width letters, which could pass for plain letters and are replaced by them. */
const STYLED_LETTERS = /[\u2100-\u214f\u2460-\u24ff\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}]+/gu;

const toPlainText = (name: string) =>
  name
    .replaceAll(STYLED_LETTERS, (letters) => letters.normalize('NFKC'))
    .normalize('NFC')
    .replaceAll(INVISIBLE, '')
    // Replaces the Braille blank, which is not a space but looks like one.
    .replaceAll('\u2800', ' ')
    .trim();

/**
 * Maximum number of marks on one Latin, Greek or Cyrillic letter. According to UTS #39, 5.4, more than four
 * are a sign of deception. Other scripts, such as Tibetan, stack letters as marks, so their letters may have
 * more.
 */
const MAX_MARKS = 4;
const MAX_STACKED_MARKS = 10;

const STACKED = /(^|[^\p{Mn}\p{Me}])([\p{Mn}\p{Me}]+)/gu;
const FEW_MARKS = /[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Common}]/u;

const hasTooManyMarks = (name: string) =>
  [...name.matchAll(STACKED)].some(([, base = '', marks = '']) => {
    if (base === '') return true;
    return [...marks].length > (FEW_MARKS.test(base) ? MAX_MARKS : MAX_STACKED_MARKS);
  });

const WORD_SEPARATORS = /[^\p{L}\p{M}\p{N}\u200c\u200d]+/u;

/**
 * Sets of scripts that may be mixed in one word: Latin with the scripts of China, Japan or Korea (UTS #39,
 * 5.2, 'highly restrictive').
 */
const COMBINABLE_SCRIPTS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** All other scripts in everyday use (UAX #31, table 5), which may not be mixed with another script. */
const SINGLE_SCRIPTS = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil'],
  ...['Telugu', 'Thaana', 'Thai', 'Tibetan'],
];

const writingSystems = [...COMBINABLE_SCRIPTS, ...SINGLE_SCRIPTS.map((script) => [script])];
const singleSystemPatterns = writingSystems.map(
  (scripts) => new RegExp(`^[${toScriptClass([...scripts, 'Common', 'Inherited'])}]*$`, 'u'),
);
const everydayScriptPattern = new RegExp(`[${toScriptClass(writingSystems.flat())}]`, 'u');

/** Returns whether a word mixes scripts that may not be mixed. A word entirely in an unlisted script passes. */
const mixesScripts = (word: string) =>
  everydayScriptPattern.test(word) && !singleSystemPatterns.some((system) => system.test(word));
