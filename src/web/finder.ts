import { folded, wordsOf } from '#shared/search-words.ts';

/** Takes some milliseconds on a slow phone. */
const FOLDED_AT_ONCE = 50;

/**
 * Searches lists in the browser, so that no letter waits for an answer on a poor connection. The rule is the server's:
 * every word of the query, folded, must be found, in any order.
 * @param searchedText what is looked through; computed once per item
 */
export function finder<T extends object>(searchedText: (item: T) => string) {
  const texts = new WeakMap<T, string>();

  function foldedText(item: T): string {
    const text = texts.get(item) ?? folded(searchedText(item));
    texts.set(item, text);
    return text;
  }

  return {
    find<Item extends T>(items: readonly Item[], query: string): readonly Item[] {
      const words = wordsOf(query);
      if (words.length === 0) return items;
      return items.filter((item) => words.every((word) => foldedText(item).includes(word)));
    },

    /**
     * Folds a list bit by bit: a large one all at once would hold up the first letter that is typed.
     * @returns stops it
     */
    prepare(items: readonly T[]): () => void {
      let next = 0;
      const foldSome = () => {
        for (const item of items.slice(next, next + FOLDED_AT_ONCE)) foldedText(item);
        next += FOLDED_AT_ONCE;
        if (next < items.length) timer = setTimeout(foldSome);
      };
      let timer = setTimeout(foldSome);
      return () => clearTimeout(timer);
    },
  };
}
