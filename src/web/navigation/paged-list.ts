import {
  type InfiniteData,
  keepPreviousData,
  type Query,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import {
  fetchPage,
  type OptionsArgument,
  type FetchedPage,
  type PagedApiRoute,
  type RowOf,
  buildApiUrl,
} from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';

/** Part of the cache key that distinguishes a paged list from a single response with the same URL. */
const PAGED_KEY = 'page by page';

type Loaded<Row> = InfiniteData<FetchedPage<Row>, string | null>;

/** The query result of a paged list: its loaded pages and loading state. */
export type PagedListResult<Row> = UseInfiniteQueryResult<Loaded<Row>>;

/**
 * Returns the query options for a list that the server returns in pages. When the list is refetched, each
 * page begins where the refetched previous page ends, so that no row is missed between them.
 */
export function createPagedListQuery<R extends PagedApiRoute>(route: R, ...options: OptionsArgument<R>) {
  const url = buildApiUrl(route, ...options);
  return {
    queryKey: [url, PAGED_KEY] as const,
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      fetchPage<RowOf<R>>(pageParam ?? url, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: FetchedPage<RowOf<R>>) => last.next,
  };
}

/** Loads a list as {@link createPagedListQuery} describes. */
export const usePagedList = <R extends PagedApiRoute>(
  route: R,
  ...options: OptionsArgument<R>
): PagedListResult<RowOf<R>> => useInfiniteQuery(createPagedListQuery(route, ...options));

/** Loads a list like {@link usePagedList}, but shows the results of the previous search until the new ones arrive. */
export const useSearchedPagedList = <R extends PagedApiRoute>(
  route: R,
  ...options: OptionsArgument<R>
): PagedListResult<RowOf<R>> =>
  useInfiniteQuery({
    ...createPagedListQuery(route, ...options),
    placeholderData: keepPreviousData<Loaded<RowOf<R>>>,
  });

/** Returns the loaded rows of a list. */
export const getLoadedRows = <Row>(data: Loaded<Row> | undefined): Row[] =>
  data?.pages.flatMap(({ rows }) => rows) ?? [];

/** Returns the number of rows in the whole list, according to the last response. */
export const getTotalCount = (data: Loaded<unknown>) => data.pages.at(-1)!.total;

type Entry = { id: number | string };

/** Updates a changed entry in the cached pages, without refetching them. */
export const updateInPages = <E extends Entry>(address: string, changed: E) =>
  changePages<E>(address, (pages) =>
    pages.map((page) => ({
      ...page,
      rows: page.rows.map((entry) => (entry.id === changed.id ? { ...entry, ...changed } : entry)),
    })),
  );

/** Removes an entry from the cached pages, without waiting for the server. */
export const removeFromPages = (address: string, id: Entry['id']) =>
  changePages<Entry>(address, (pages) => {
    const isThere = pages.some(({ rows }) => rows.some((entry) => entry.id === id));
    if (!isThere) return pages;
    return pages.map((page) => ({
      ...page,
      rows: page.rows.filter((entry) => entry.id !== id),
      total: page.total - 1,
    }));
  });

/** Returns an entry from the cached lists of a URL; undefined if none of them contains it. */
export const findInPages = <E extends Entry>(address: string, id: Entry['id']) =>
  queryClient
    .getQueriesData<Loaded<E>>(matchLists(address))
    .flatMap(([, data]) => getLoadedRows(data))
    .find((entry) => entry.id === id);

const changePages = <E extends Entry>(
  address: string,
  change: (pages: FetchedPage<E>[]) => FetchedPage<E>[],
) =>
  queryClient.setQueriesData<Loaded<E>>(
    matchLists(address),
    (data) => data && { ...data, pages: change(data.pages) },
  );

/** Matches all cached lists of a URL, whatever the search. */
const matchLists = (address: string) => ({
  predicate: ({ queryKey: [url, kind] }: Query) =>
    kind === PAGED_KEY && String(url).split('?')[0] === address,
});
