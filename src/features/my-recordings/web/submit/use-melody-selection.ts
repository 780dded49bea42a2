import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { ListedMelody, Melody } from '#features/melodies/contract.ts';
import { libraryQuery, useLibraryWithTexts } from '#features/melodies/web/library-query.ts';
import { parseIdParameter } from '#features/recordings/web/practice-paths.ts';
import { useRefetchOnReconnect } from '#web/api/use-refetch-on-reconnect.ts';

export type MelodySelection = {
  /** Id in the URL; null if there is none, or if the library does not contain that melody. */
  id: number | null;
  /** The chosen melody; null if there is none, or until the library has loaded. */
  chosen: ListedMelody | null;
  /** The melodies with their texts; undefined until the texts have loaded. */
  texts: readonly Melody[] | undefined;
  library: 'loading' | 'missing' | readonly ListedMelody[];
  choose: (id: number | null) => void;
};

/**
 * Returns the melody being practised, which is stored in the URL. Until the library has loaded, only its id
 * is known.
 */
export function useMelodySelection(): MelodySelection {
  const library = useQuery(libraryQuery);
  const { data, isError } = library;
  const [search, setSearch] = useSearchParams();
  const asked = parseIdParameter(search.get('melody'));
  const chosen = data?.find(({ id }) => id === asked) ?? null;
  useRefetchOnReconnect(library);
  return {
    id: data ? (chosen?.id ?? null) : asked,
    chosen,
    texts: useLibraryWithTexts(data),
    library: data ?? (isError ? 'missing' : 'loading'),
    choose: (id) => setSearch((before) => setMelodyParameter(before, id), { replace: true }),
  };
}

/**
 * Returns the URL's parameters with the melody set, or removed if it is null. Keeps all other parameters,
 * such as the melody of the player to return to.
 */
function setMelodyParameter(before: URLSearchParams, id: number | null) {
  const next = new URLSearchParams(before);
  if (id === null) next.delete('melody');
  else next.set('melody', String(id));
  return next;
}
