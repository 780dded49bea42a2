import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { apiQuery } from '../../../platform/web/query-client.ts';
import type { Melody } from '../../melodies/contract.ts';
import { idIn } from './practice-again.ts';

export type ChosenMelody = {
  /** From the address; null for none, or for a melody that is not in the library. */
  id: number | null;
  /** Also null until the library has been loaded. */
  chosen: Melody | null;
  library: 'loading' | 'missing' | readonly Melody[];
  choose: (id: number | null) => void;
};

/** The melody being practised, which is kept in the address. Without a connection, only its id is known. */
export function useChosenMelody(): ChosenMelody {
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/melodies'));
  const [search, setSearch] = useSearchParams();
  const asked = idIn(search.get('melody'));
  const chosen = data?.find(({ id }) => id === asked) ?? null;
  useEffect(() => {
    if (!isError) return;
    const again = () => void refetch();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isError, refetch]);
  return {
    id: data ? (chosen?.id ?? null) : asked,
    chosen,
    library: data ?? (isError ? 'missing' : 'loading'),
    choose: (id) => setSearch((before) => withMelody(before, id), { replace: true }),
  };
}

/** Keeps the other parameters of the address, such as the melody to return to in the player. */
function withMelody(before: URLSearchParams, id: number | null) {
  const next = new URLSearchParams(before);
  if (id === null) next.delete('melody');
  else next.set('melody', String(id));
  return next;
}
