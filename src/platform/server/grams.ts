/**
 * The index that texts are searched by: a number for each run of up to three characters. PostgreSQL's own `pg_trgm`
 * knows letters only, so that of Tibetan, with its vowel signs, nothing is left; nor has it runs of one or two.
 */
const LONGEST = 3;

/** Each number once. Two runs may have the same one: what has the numbers may have the word. */
export function gramsOf(text: string): number[] {
  const grams = new Set<number>();
  for (let start = 0; start < text.length; start += 1) {
    let hash = 0;
    for (let at = start; at < start + LONGEST && at < text.length; at += 1) {
      // No word goes on over a space.
      if (isSpace(text, at)) break;
      hash = extended(hash, text.charCodeAt(at));
      grams.add(hash);
    }
  }
  return [...grams];
}

/** What every text with this word has among its own: the longest runs say the most, and are enough. */
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

/** FNV, within PostgreSQL's `integer`. */
const extended = (hash: number, unit: number) => (Math.imul(hash, 0x01000193) + unit + 1) | 0;

const isSpace = (text: string, at: number) => /\s/.test(text[at] ?? '');
