import { sql, type Column, type SQL } from 'drizzle-orm';

/**
 * The n-grams that texts are searched by: a hash for each run of up to three characters. PostgreSQL's `pg_trgm` knows
 * letters only, so Tibetan with its vowel signs would vanish; nor does it index runs of one or two.
 */
const LONGEST = 3;

/** Without duplicates. Hashes may collide: a text with all hashes of a word may contain it. */
export function gramsOf(text: string): number[] {
  const grams = new Set<number>();
  for (let start = 0; start < text.length; start += 1) {
    let hash = 0;
    for (let at = start; at < start + LONGEST && at < text.length; at += 1) {
      // No gram crosses a space.
      if (isSpace(text, at)) break;
      hash = extended(hash, text.charCodeAt(at));
      grams.add(hash);
    }
  }
  return [...grams];
}

/** The grams that every text with this word has: the longest runs are the most selective, and suffice. */
export function gramsOfWord(word: string): number[] {
  const length = Math.min(LONGEST, word.length);
  const grams = new Set<number>();
  for (let start = 0; start + length <= word.length; start += 1) {
    let hash = 0;
    for (let at = start; at < start + length; at += 1) hash = extended(hash, word.charCodeAt(at));
    grams.add(hash);
  }
  return [...grams];
}

/** Whether a column of grams has all of these words; their texts may still lack one. */
export const hasGrams = (column: Column, words: string[]): SQL =>
  sql`${column} @> ${sql.param([...new Set(words.flatMap(gramsOfWord))])}::int[]`;

/** FNV, within PostgreSQL's `integer`. */
const extended = (hash: number, unit: number) => (Math.imul(hash, 0x01000193) + unit + 1) | 0;

const isSpace = (text: string, at: number) => /\s/.test(text[at] ?? '');
