/** The words of a query, each folded. */
export const wordsOf = (query: string) =>
  query
    .split(/\s+/)
    // A tsheg at the end is how one leaves a syllable when typing; the text may go on with a shad.
    .map((word) => folded(word.replace(/(?<=.)[\u0f0b\u0f0c]+$/u, '')))
    .filter(Boolean);

/** Case and Latin accents do not count; Tibetan vowels are letters and stay. */
export const folded = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');
