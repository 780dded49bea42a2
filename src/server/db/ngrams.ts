import { sql, type Column, type SQL } from 'drizzle-orm';

/**
 * Maximum length of n-grams. Texts are searched by the hashes of all runs of up to three characters. We don't
 * use PostgreSQL's `pg_trgm`: it indexes only letters, so it would drop the vowel signs of Tibetan, and it
 * has no runs of one or two characters.
 */
const MAX_GRAM_LENGTH = 3;

/**
 * Returns the n-gram hashes of a text, without duplicates. Hashes may collide, so a text that has all hashes of
 * a word may still not contain the word.
 */
export function getNgramHashes(text: string): number[] {
  const grams = new Set<number>();
  for (let start = 0; start < text.length; start += 1) {
    let hash = 0;
    for (let at = start; at < start + MAX_GRAM_LENGTH && at < text.length; at += 1) {
      // N-grams don't cross spaces.
      if (isSpace(text, at)) break;
      hash = extendHash(hash, text.charCodeAt(at));
      grams.add(hash);
    }
  }
  return [...grams];
}

/**
 * Returns n-gram hashes that every text with this word contains. Only the longest n-grams are used: they are
 * the most selective, and sufficient.
 */
export function getWordNgramHashes(word: string): number[] {
  const length = Math.min(MAX_GRAM_LENGTH, word.length);
  const grams = new Set<number>();
  for (let start = 0; start + length <= word.length; start += 1) {
    let hash = 0;
    for (let at = start; at < start + length; at += 1) hash = extendHash(hash, word.charCodeAt(at));
    grams.add(hash);
  }
  return [...grams];
}

/**
 * Matches rows whose column has the n-grams of all these words. A matching text may still lack a word, because
 * hashes collide.
 */
export const hasNgrams = (column: Column, words: string[]): SQL =>
  sql`${column} @> ${sql.param([...new Set(words.flatMap(getWordNgramHashes))])}::int[]`;

/** Extends an FNV hash by one UTF-16 code unit, within the range of PostgreSQL's `integer`. */
const extendHash = (hash: number, unit: number) => (Math.imul(hash, 0x01000193) + unit + 1) | 0;

const isSpace = (text: string, at: number) => /\s/.test(text[at] ?? '');
