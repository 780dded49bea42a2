import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../../../platform/web/query-client.ts';
import { timedLinesOf, type TimedLine } from './mark-lines.ts';

const NONE: readonly TimedLine[] = [];

/** The timed lines of a melody, fetched once they are wanted; empty until then, or if there are none. */
export function useTimedLines(melodyId: number | null, isWanted: boolean): readonly TimedLine[] {
  const { data } = useQuery({
    ...apiQuery('GET /api/melodies/{id}', { params: { id: melodyId ?? 0 } }),
    enabled: isWanted && melodyId !== null,
  });
  return useMemo(() => (data ? timedLinesOf(data) : NONE), [data]);
}
