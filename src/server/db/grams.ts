import { sql, type Column, type SQL } from 'drizzle-orm';

/**
 * Maximum length of the n-grams used for searching texts: there is one hash for each run of up to three characters.
 * PostgreSQL's `pg_trgm` indexes only letters, which would drop Tibetan with its vowel signs, and has no runs of one
 * or two.
 */
const MAX_GRAM_LENGTH = 3;

/**
 * Returns the grams of a text, without duplicates. Hashes may collide: a text with all hashes of a word may still
 * lack it.
 */
export function getGrams(text: string): number[] {
  const grams = new Set<number>();
  for (let start = 0; start < text.length; start += 1) {
    let hash = 0;
    for (let at = start; at < start + MAX_GRAM_LENGTH && at < text.length; at += 1) {
      // No gram crosses a space.
      if (isSpace(text, at)) break;
      hash = extendHash(hash, text.charCodeAt(at));
      grams.add(hash);
    }
  }
  return [...grams];
}

/** Returns grams that every text with this word has. The longest runs are the most selective, and enough. */
export function getWordGrams(word: string): number[] {
  const length = Math.min(MAX_GRAM_LENGTH, word.length);
  const grams = new Set<number>();
  for (let start = 0; start + length <= word.length; start += 1) {
    let hash = 0;
    for (let at = start; at < start + length; at += 1) hash = extendHash(hash, word.charCodeAt(at));
    grams.add(hash);
  }
  return [...grams];
}

/** Matches rows whose column has the grams of all these words. Their texts may still lack a word. */
export const hasGrams = (column: Column, words: string[]): SQL =>
  sql`${column} @> ${sql.param([...new Set(words.flatMap(getWordGrams))])}::int[]`;

/** Extends a hash by one character: FNV, limited to PostgreSQL's `integer`. */
const extendHash = (hash: number, unit: number) => (Math.imul(hash, 0x01000193) + unit + 1) | 0;

const isSpace = (text: string, at: number) => /\s/.test(text[at] ?? '');
