import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** Tells such a list in the cache from an answer of the same address that stands alone. */
const BY_PAGE = 'page by page';

type PagesOptions<E> = {
  /** The address that is asked, and what else tells this list from others. */
  key: readonly [address: string, ...more: string[]];
  /** The newest, or those before an id. */
  ask: (before: number | undefined, signal: AbortSignal) => Promise<E[]>;
  /** The server answers this many at a time; fewer are the last ones. */
  size: number;
  /** Shows the answer to the former key until the new one is there. */
  keepsFormer?: boolean;
};

/**
 * What the server answers a page at a time, newest first. Asked anew, each page begins where the one before it ends
 * then, so that nothing falls between two of them.
 */
export const usePages = <E extends { id: number }>({
  key,
  ask,
  size,
  keepsFormer = false,
}: PagesOptions<E>) =>
  useInfiniteQuery({
    queryKey: [key[0], BY_PAGE, ...key.slice(1)],
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    ...(keepsFormer && { placeholderData: keepPreviousData<InfiniteData<E[], number | undefined>> }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < size ? undefined : last.at(-1)?.id),
  });

/** Puts an entry that has changed into the pages that are there; nothing of them is fetched again. */
export const keepInPages = <E extends { id: number }>(address: string, changed: E) =>
  queryClient.setQueriesData<InfiniteData<E[]>>(
    { queryKey: [address, BY_PAGE] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => page.map((entry) => (entry.id === changed.id ? changed : entry))),
      },
  );
