import { folded, wordsOf } from '../../../platform/web/search-words.ts';
import type { Melody } from '../contract.ts';

type Searched = Pick<Melody, 'title' | 'description' | 'melodyText'>;

/**
 * Finds the melodies that have every word of a query in title, description or text, in any order. What the list brought
 * is searched where it is: on a poor line no letter waits for an answer. The rule is the server's, word for word.
 */
export function finderIn<M extends Searched>(melodies: readonly M[]) {
  let entries: { melody: M; text: string }[] | undefined;
  return (query: string): readonly M[] => {
    const words = wordsOf(query);
    if (words.length === 0) return melodies;
    // Folding a large library takes a moment, so only once somebody searches.
    entries ??= melodies.map((melody) => ({ melody, text: searchedTextOf(melody) }));
    return entries
      .filter(({ text }) => words.every((word) => text.includes(word)))
      .map(({ melody }) => melody);
  };
}

const searchedTextOf = ({ title, description, melodyText }: Searched) =>
  folded(`${title} ${description ?? ''} ${melodyText ?? ''}`);
