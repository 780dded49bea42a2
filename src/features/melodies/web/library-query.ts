import { useQuery } from '@tanstack/react-query';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import type { ListedMelody, Melody, FoundMelody } from '../contract.ts';

/** All melodies that the user may hear, as shown on their cards. */
export const libraryQuery = {
  ...createApiQuery('GET /api/melodies', { query: { view: 'card' } }),
  select: (melodies: object[]) => melodies as ListedMelody[],
};

/**
 * Creates the query for the ids of melodies with these words in title, description or text. The result is
 * cached for a minute after its last use.
 */
export const createLibrarySearchQuery = (q: string) => ({
  ...createApiQuery('GET /api/melodies', { query: { q, view: 'id' } }),
  select: (melodies: object[]) => melodies as FoundMelody[],
  gcTime: 60_000,
});

/** Maximum total size of texts to prefetch, in bytes. Small compared with one audio file. */
const MAX_PREFETCHED_TEXT_BYTES = 200_000;

/**
 * Returns the library with its texts, so that words and search work offline. Returns undefined while loading,
 * or if the texts are too long to prefetch.
 */
export function useLibraryWithTexts(
  library: readonly ListedMelody[] | undefined,
): readonly Melody[] | undefined {
  const isShort =
    library !== undefined && sum(library.map(({ textBytes }) => textBytes)) <= MAX_PREFETCHED_TEXT_BYTES;
  const { data } = useQuery({
    ...createApiQuery('GET /api/melodies'),
    enabled: isShort,
    select: (melodies: object[]) => melodies as Melody[],
  });
  return isShort ? data : undefined;
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** Updates the cached library immediately, without waiting for the refetch. */
export const updateCachedLibrary = (change: (melodies: ListedMelody[]) => ListedMelody[]) =>
  queryClient.setQueryData<ListedMelody[]>(libraryQuery.queryKey, (before) => before && change(before));
