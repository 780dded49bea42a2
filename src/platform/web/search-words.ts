/** The words of a query, each folded. */
export const wordsOf = (query: string) =>
  query
    .split(/\s+/)
    // A tsheg at the end is how one leaves a syllable when typing; the text may go on with a shad.
    .map((word) => folded(word.replace(/(?<=.)[\u0f0b\u0f0c]+$/u, '')))
    .filter(Boolean);

/** A small Latin letter, by itself, and the accents on it. */
const ACCENTED = /([a-z\u00df-\u02b8\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff])[\u0300-\u036f]+/g;

/**
 * Case and Latin accents do not count. Tibetan vowels stay, and so does what makes another letter of a Cyrillic or Greek
 * one: those are put together again, or a search for the letter without it would find them all the same.
 */
export const folded = (text: string) =>
  text.toLowerCase().normalize('NFD').replace(ACCENTED, '$1').normalize('NFC');
