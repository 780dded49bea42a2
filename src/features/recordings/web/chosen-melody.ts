import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { apiQuery } from '../../../platform/web/query-client.ts';
import type { Melody } from '../../melodies/contract.ts';
import { idIn } from './practice-again.ts';

export type ChosenMelody = {
  /** As the address says it; null for none, or for one that the library does not have. */
  id: number | null;
  /** Null also as long as the library has not come. */
  chosen: Melody | null;
  library: 'loading' | 'missing' | readonly Melody[];
  choose: (id: number | null) => void;
};

/** The melody that is practised, from the address and back into it. Without a connection its number is all one knows of it. */
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

/** What else the address says stays, such as the way back to the player. */
function withMelody(before: URLSearchParams, id: number | null) {
  const next = new URLSearchParams(before);
  if (id === null) next.delete('melody');
  else next.set('melody', String(id));
  return next;
}
