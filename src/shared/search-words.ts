/** Maximum number of words in a query. Nobody types more, and a pasted verse is found by its first words. */
const MAX_WORDS = 8;

/** Returns the unique folded words of a query, at most the first eight. */
export function getSearchWords(query: string): string[] {
  const words = query
    .split(/\s+/)
    .filter(Boolean)
    // Drops a final tsheg, because the text may have a shad there instead.
    .map((word) => foldText(word.replace(/(?<=.)[\u0f0b\u0f0c]+$/u, '')))
    .filter(Boolean);
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** A single lowercase Latin letter with its accents. */
const ACCENTED = /([a-z\u00df-\u02b8\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff])[\u0300-\u036f]+/g;

/**
 * Folds a text for searching, on the server and in the browser. Ignores case and Latin accents. Keeps Tibetan
 * vowels, and recomposes marks that make a different Cyrillic or Greek letter, because a search for the plain
 * letter must not find the marked one.
 */
export const foldText = (text: string) =>
  text.toLowerCase().normalize('NFD').replace(ACCENTED, '$1').normalize('NFC');

type NameParts = {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  username: string;
};

/** Returns a person's names as one folded text for searching. The email is searched separately. */
export const getFoldedName = ({ firstName, lastName, username }: NameParts) =>
  foldText([firstName, lastName, username].join(' '));
