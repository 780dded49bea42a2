import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { lastPractised } from '#features/practice/web/engine/practice.ts';
import { favouritesQuery } from '#features/melodies/favourites/web/use-chosen.ts';
import type { Own } from './library-filter.tsx';

/** The melodies of a list of one's own, by id, in its order; null for the whole library. */
export function useOwn(own: Own | null): readonly number[] | null {
  const favourites = useQuery({ ...favouritesQuery, enabled: own === 'favourites' }).data;
  // As text, so that it is the same as long as it is alike; the server, which has no device, renders none.
  const recent = useSyncExternalStore(neverTold, recentIds, () => '');
  return useMemo(() => {
    if (own === null) return null;
    if (own === 'favourites') return (favourites ?? []).map(({ melodyId }) => melodyId);
    return recent === '' ? [] : recent.split(',').map(Number);
  }, [own, favourites, recent]);
}

const neverTold = () => () => {};

const recentIds = () =>
  lastPractised()
    .map(({ melodyId }) => melodyId)
    .join();
