import { folded, wordsOf } from '../../../platform/contract/search-words.ts';
import type { Melody } from '../contract.ts';

type Searched = Pick<Melody, 'title' | 'description' | 'melodyText'>;

/** Some milliseconds of a slow phone. */
const FOLDED_AT_ONCE = 50;

const texts = new WeakMap<Searched, string>();

/**
 * Finds the melodies that have every word of a query in title, description or text, in any order. What the list brought
 * is searched where it is: on a poor connection no letter waits for an answer. The rule is the server's, word for word.
 */
export function finderIn<M extends Searched>(melodies: readonly M[]) {
  return (query: string): readonly M[] => {
    const words = wordsOf(query);
    if (words.length === 0) return melodies;
    return melodies.filter((melody) => {
      const text = searchedTextOf(melody);
      return words.every((word) => text.includes(word));
    });
  };
}

/**
 * Folds what may be searched, little by little: a large library at once would hold up the first letter that is typed.
 * @returns ends it
 */
export function prepareSearch(melodies: readonly Searched[]): () => void {
  let next = 0;
  const foldSome = () => {
    const some = melodies.slice(next, next + FOLDED_AT_ONCE);
    for (const melody of some) searchedTextOf(melody);
    next += some.length;
    if (next < melodies.length) timer = setTimeout(foldSome);
  };
  let timer = setTimeout(foldSome);
  return () => clearTimeout(timer);
}

function searchedTextOf(melody: Searched): string {
  const { title, description, melodyText } = melody;
  const text = texts.get(melody) ?? folded(`${title} ${description ?? ''} ${melodyText ?? ''}`);
  texts.set(melody, text);
  return text;
}
