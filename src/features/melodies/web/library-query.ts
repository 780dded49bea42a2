import { useQuery } from '@tanstack/react-query';
import { apiQuery, queryClient } from '#web/api/query-client.ts';
import type { ListedMelody, Melody } from '../contract.ts';

/** All melodies that one may hear, as their cards show them. */
export const libraryQuery = listedMelodies({});

/** Those with these words in title, description or text; forgotten soon after another search. */
export const foundQuery = (q: string) => ({ ...listedMelodies({ q }), gcTime: 60_000 });

function listedMelodies(query: { q?: string }) {
  return {
    ...apiQuery('GET /api/melodies', { query: { ...query, view: 'card' } }),
    select: (melodies: object[]) => melodies as ListedMelody[],
  };
}

/** So many bytes are little beside one song. */
const TEXTS_AHEAD_BYTES = 200_000;

/**
 * The library with its texts, fetched ahead where they are short enough, so that the words and the search need no
 * connection; undefined where they are not, and until they are there.
 */
export function useTexts(library: readonly ListedMelody[] | undefined): readonly Melody[] | undefined {
  const isShort =
    library !== undefined && sum(library.map(({ textBytes }) => textBytes)) <= TEXTS_AHEAD_BYTES;
  const { data } = useQuery({
    ...apiQuery('GET /api/melodies'),
    enabled: isShort,
    select: (melodies: object[]) => melodies as Melody[],
  });
  return isShort ? data : undefined;
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** Changes the library that is loaded at once, while it is fetched again. */
export const changeLibrary = (change: (melodies: ListedMelody[]) => ListedMelody[]) =>
  queryClient.setQueryData<ListedMelody[]>(libraryQuery.queryKey, (before) => before && change(before));
