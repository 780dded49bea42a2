import { isTibetan } from '#features/lyrics/tibetan-script.ts';

/** Separators between syllables in Tibetan script: tsheg, shad, other punctuation and spaces. */
const TIBETAN_SEPARATORS = /[\s\u0f01-\u0f14\u0f3a-\u0f3d\u0fd0-\u0fd4]+/u;
const WORD = /[\p{L}\p{M}'’]+/gu;
const VOWELS = 'aeiouäöüëïáàâãéèêíìîóòôõúùûāēīōūåæøœ';

/**
 * Consonant groups that may precede the vowel of a syllable, in Tibetan and Sanskrit written in Latin letters.
 */
const ONSETS = new Set(
  (
    'kh gh ch chh jh th dh tth ph bh sh zh ts tsh dz ny ng lh hr rh ky khy gy my py phy by ty dy hy ly ' +
    'dr tr thr dhr kr khr gr pr phr br bhr mr sr shr str vr kl gl bl pl sl rl zl st sv sw dv dw tv tw kv kw sm sn shw shv'
  ).split(' '),
);

/** Splits a line into the syllables that are sung: at each tsheg in Tibetan script, otherwise by vowels. */
export function splitSyllables(words: string): string[] {
  if (isTibetan(words)) return words.split(TIBETAN_SEPARATORS).filter((part) => part !== '');
  return (words.normalize('NFC').match(WORD) ?? []).flatMap(splitWord);
}

function splitWord(word: string): string[] {
  const lower = word.toLowerCase();
  const isVowel = (at: number) =>
    VOWELS.includes(lower[at] ?? ' ') ||
    (lower[at] === 'y' && !isPlainVowel(at - 1) && !isPlainVowel(at + 1));
  const isPlainVowel = (at: number) => at >= 0 && at < lower.length && VOWELS.includes(lower[at]!);
  const parts: string[] = [];
  let begin = 0;
  let at = 0;
  while (at < lower.length && !isVowel(at)) at++;
  for (;;) {
    while (at < lower.length && isVowel(at)) at++;
    let next = at;
    while (next < lower.length && !isVowel(next)) next++;
    if (next >= lower.length) break;
    const cut = next - getOnsetLength(lower.slice(at, next));
    parts.push(word.slice(begin, cut));
    begin = cut;
    at = next;
  }
  parts.push(word.slice(begin));
  return parts;
}

/** Returns how many of the consonants between two vowels belong to the second vowel. */
function getOnsetLength(consonants: string): number {
  for (let from = 0; from < consonants.length - 1; from++)
    if (ONSETS.has(consonants.slice(from))) return consonants.length - from;
  return Math.min(1, consonants.length);
}
