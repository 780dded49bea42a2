import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { createTextSearch } from '#web/text-search.ts';
import { useDebouncedText } from '#web/ui/use-debounced-text.ts';
import type { ListedMelody, Melody, FoundMelody } from '#features/melodies/contract.ts';
import { getSearchableText } from '#features/melodies/search.ts';
import { createLibrarySearchQuery } from '#features/melodies/web/library-query.ts';

const inCards = createTextSearch<ListedMelody>(({ title, excerpt }) =>
  getSearchableText({ title, description: excerpt }),
);
const inTexts = createTextSearch<Melody>(getSearchableText);

/**
 * `done` means that the texts have been searched too; `failed` means that only the cards could be searched.
 */
export type LibrarySearchProgress =
  | { step: 'searching' | 'done' }
  | { step: 'failed'; error: unknown; isRetrying: boolean; tryAgain: () => void };

const DONE: LibrarySearchProgress = { step: 'done' };
const SEARCHING: LibrarySearchProgress = { step: 'searching' };

type Found = { words: string; melodies: readonly FoundMelody[] };

/**
 * Searches the library as the user types. Searches the texts if they are loaded; otherwise searches the cards
 * first and then the texts on the server. Until the server responds, the results for the beginning of the query
 * stay visible, because more words can only narrow them.
 * @param typed the field's current text
 * @param query the text whose results are being rendered; it may be behind `typed`
 */
export function useLibrarySearch(
  library: readonly ListedMelody[],
  texts: readonly Melody[] | undefined,
  typed: string,
  query: string,
): { found: readonly ListedMelody[]; progress: LibrarySearchProgress } {
  const trimmedQuery = query.trim();
  const words = useDebouncedText(typed.trim());
  const answer = useQuery({ ...createLibrarySearchQuery(words), enabled: words !== '' && !texts });
  const [last, setLast] = useState<Found | null>(null);
  if (answer.data && answer.data !== last?.melodies) setLast({ words, melodies: answer.data });
  useEffect(() => (texts ? inTexts.prepare(texts) : inCards.prepare(library)), [library, texts]);

  const hasFailed = answer.isError && words === trimmedQuery;
  const narrowed = !hasFailed && last && trimmedQuery.startsWith(last.words) ? last : null;
  const found = useMemo(() => {
    if (trimmedQuery === '') return library;
    const known: readonly FoundMelody[] = texts
      ? inTexts.find(texts, trimmedQuery)
      : (narrowed?.melodies ?? inCards.find(library, trimmedQuery));
    const ids = new Set(known.map(({ id }) => id));
    const matches = library.filter(({ id }) => ids.has(id));
    // Returns the same array if everything matches, so that the cards don't re-render.
    return matches.length === library.length ? library : matches;
  }, [library, texts, trimmedQuery, narrowed]);

  if (trimmedQuery === '' || texts || narrowed?.words === trimmedQuery) return { found, progress: DONE };
  if (!hasFailed) return { found, progress: SEARCHING };
  const { error, isFetching, refetch } = answer;
  return {
    found,
    progress: { step: 'failed', error, isRetrying: isFetching, tryAgain: () => void refetch() },
  };
}
