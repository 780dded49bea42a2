import { foldText, getSearchWords } from '#shared/search-words.ts';

/**
 * Number of items folded (case and accents removed) per batch, which takes a few milliseconds on a slow phone.
 */
const FOLD_BATCH_SIZE = 50;

/**
 * Creates a search for lists in the browser, so that typing never waits for a response over a poor
 * connection. An item matches by the same rule as on the server: it contains every word of the query, in any
 * order, ignoring case and accents.
 * @param searchedText returns an item's text to search; called once per item
 */
export function createTextSearch<T extends object>(searchedText: (item: T) => string) {
  const texts = new WeakMap<T, string>();

  function foldedText(item: T): string {
    const text = texts.get(item) ?? foldText(searchedText(item));
    texts.set(item, text);
    return text;
  }

  return {
    find<Item extends T>(items: readonly Item[], query: string): readonly Item[] {
      const words = getSearchWords(query);
      if (words.length === 0) return items;
      return items.filter((item) => words.every((word) => foldedText(item).includes(word)));
    },

    /**
     * Folds the texts of a list before the first search. Works in batches, because a large list in one go
     * would delay the first key press.
     * @returns a function that stops the folding
     */
    prepare(items: readonly T[]): () => void {
      let next = 0;
      const foldSome = () => {
        for (const item of items.slice(next, next + FOLD_BATCH_SIZE)) foldedText(item);
        next += FOLD_BATCH_SIZE;
        if (next < items.length) timer = setTimeout(foldSome);
      };
      let timer = setTimeout(foldSome);
      return () => clearTimeout(timer);
    },
  };
}
