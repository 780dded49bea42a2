/**
 * Maps the homoglyphs in everyday use, from confusables.txt of Unicode's UTS #39, to Latin letters without
 * accents, in lower case. Among Latin letters and digits, 1, i and l count as the same letter, as do 0 and o,
 * and 5 and s.
 */
const HOMOGLYPHS: Record<string, string> = Object.fromEntries(
  [
    // Cyrillic.
    'аa вb ԁd еe ғf ԍg һh нh іl ӏl јj кk мm пn оo рp ԛq гr ѕs тt ԝw хx уy үy ѵv ьb зz',
    // Greek: a capital may resemble a different Latin letter than its lower-case form does.
    'Ηh Μm Νn Υy αa βb εe ηn ιl κk μu νv οo ρp σo τt υu χx ζz γy ωw',
    // Armenian.
    'օo հh ոn սu ցg զq',
    // Dotless Latin letters, small capitals, and digits.
    'ıl il 1l 0o 5s ɡg ɑa ᴋk ʜh ᴀa ɴn ᴅd ʀr ᴏo ʟl',
  ]
    .flatMap((pairs) => pairs.split(' '))
    .map(([from = '', to = '']) => [from, to]),
);

/** Returns the skeleton of a name (UTS #39, section 4): names that look alike have the same skeleton. */
export const toConfusableSkeleton = (name: string) =>
  // Removes accents (Script=Inherited) but keeps marks that belong to a script, such as Tibetan vowels, because
  // they are part of the word.
  [...name.normalize('NFKD').replaceAll(/\p{Script=Inherited}|[^\p{L}\p{M}\p{N}]/gu, '')]
    .map((letter) => HOMOGLYPHS[letter] ?? HOMOGLYPHS[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('')
    .replaceAll('rn', 'm');

/**
 * Returns whether a name looks like another but isn't the same. The same name is allowed, because two people
 * can have it.
 */
export const isLookAlike = (name: string, other: string) =>
  normalizeText(name) !== normalizeText(other) && toConfusableSkeleton(name) === toConfusableSkeleton(other);

const normalizeText = (name: string) => name.normalize('NFC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
