import { type UseQueryOptions, useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CallError } from '../../../platform/web/call.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { SkeletonList } from '../../../platform/web/ui/skeleton.tsx';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { HISTORY_PAGE } from '../limits.ts';

type HistoryProps<E extends { id: number }> = {
  /** The newest, or those before an id. */
  query: (before: number | undefined) => UseQueryOptions<E[], CallError, E[], readonly [string]>;
  /** 'Your recordings could not be loaded.' */
  failure: string;
  empty: ReactNode;
  item: (entry: E) => ReactNode;
};

/** The server answers this many at a time; fewer are the last ones. */

/** A list, newest first, that can be followed back. */
export function History<E extends { id: number }>({ query, failure, empty, item }: HistoryProps<E>) {
  const [befores, setBefores] = useState<readonly (number | undefined)[]>([undefined]);
  const pages = useQueries({ queries: befores.map(query) });
  const entries = pages.flatMap(({ data }) => data ?? []);
  const last = pages.at(-1);
  const oldest = entries.at(-1)?.id;
  return (
    <div className="grid max-w-3xl gap-5">
      {entries.map(item)}
      {last?.isPending && <SkeletonList className="gap-5" itemClassName="h-56" />}
      {last?.isError && (
        <LoadFailure
          sentence={failure}
          error={last.error}
          isTrying={last.isFetching}
          onTryAgain={() => void last.refetch()}
        />
      )}
      {last?.data?.length === 0 && befores.length === 1 && empty}
      {last?.data?.length === HISTORY_PAGE && oldest !== undefined && (
        <Button onClick={() => setBefores([...befores, oldest])}>Load more</Button>
      )}
    </div>
  );
}
