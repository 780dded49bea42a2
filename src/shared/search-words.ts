/** Nobody looks for more; whoever pastes a whole verse finds it by its first words. */
const MOST_WORDS = 8;

/** The words of a query, each folded, and each once; the first eight count. */
export function wordsOf(query: string): string[] {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    // A tsheg at the end is how one leaves a syllable when typing; the text may go on with a shad.
    .map((word) => folded(word.replace(/(?<=.)[\u0f0b\u0f0c]+$/u, '')))
    .filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** A small Latin letter, by itself, and the accents on it. */
const ACCENTED = /([a-z\u00df-\u02b8\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff])[\u0300-\u036f]+/g;

/**
 * A text as it is searched, by the server and in the browser. Case and Latin accents do not count. Tibetan vowels stay,
 * and so does what makes another letter of a Cyrillic or Greek one: those are put together again, or a search for the
 * letter without it would find them all the same.
 */
export const folded = (text: string) =>
  text.toLowerCase().normalize('NFD').replace(ACCENTED, '$1').normalize('NFC');

type Named = {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  username: string;
};

/** What a search for a person looks through, beside the email. */
export const foldedName = ({ firstName, lastName, username }: Named) =>
  folded([firstName, lastName, username].join(' '));
