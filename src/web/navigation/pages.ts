import {
  type InfiniteData,
  keepPreviousData,
  type Query,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import {
  callPage,
  type OptionsArgument,
  type Page,
  type PagedRoute,
  type RowOf,
  urlOf,
} from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';

/** Tells such a list in the cache from an answer of the same address that stands alone. */
const BY_PAGE = 'page by page';

type Loaded<Row> = InfiniteData<Page<Row>, string | null>;

/** A list as far as it has been loaded. */
export type Pages<Row> = UseInfiniteQueryResult<Loaded<Row>>;

/**
 * A list that the server answers a page at a time, as query options. Asked anew, each page begins where the one before
 * it ends then, so that nothing falls between two of them.
 */
export function pagesQuery<R extends PagedRoute>(route: R, ...options: OptionsArgument<R>) {
  const url = urlOf(route, ...options);
  return {
    queryKey: [url, BY_PAGE] as const,
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      callPage<RowOf<R>>(pageParam ?? url, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: Page<RowOf<R>>) => last.next,
  };
}

/** As {@link pagesQuery}. */
export const usePages = <R extends PagedRoute>(route: R, ...options: OptionsArgument<R>): Pages<RowOf<R>> =>
  useInfiniteQuery(pagesQuery(route, ...options));

/** As {@link usePages}; shows the answer to the former search until the new one is there. */
export const useSearchedPages = <R extends PagedRoute>(
  route: R,
  ...options: OptionsArgument<R>
): Pages<RowOf<R>> =>
  useInfiniteQuery({
    ...pagesQuery(route, ...options),
    placeholderData: keepPreviousData<Loaded<RowOf<R>>>,
  });

/** What has been loaded of a list. */
export const rowsOf = <Row>(data: Loaded<Row> | undefined): Row[] =>
  data?.pages.flatMap(({ rows }) => rows) ?? [];

/** How many rows the whole list has, by the last answer. */
export const totalOf = (data: Loaded<unknown>) => data.pages.at(-1)!.total;

type Entry = { id: number | string };

/** Puts an entry that has changed into the pages that are there; nothing of them is fetched again. */
export const keepInPages = <E extends Entry>(address: string, changed: E) =>
  changePages<E>(address, (pages) =>
    pages.map((page) => ({
      ...page,
      rows: page.rows.map((entry) => (entry.id === changed.id ? { ...entry, ...changed } : entry)),
    })),
  );

/** Takes an entry out of the pages that are there, without waiting for the server. */
export const takeOutOfPages = (address: string, id: Entry['id']) =>
  changePages<Entry>(address, (pages) => {
    const isThere = pages.some(({ rows }) => rows.some((entry) => entry.id === id));
    if (!isThere) return pages;
    return pages.map((page) => ({
      ...page,
      rows: page.rows.filter((entry) => entry.id !== id),
      total: page.total - 1,
    }));
  });

/** An entry as one of the lists of an address has it; undefined if none of them has come so far. */
export const findInPages = <E extends Entry>(address: string, id: Entry['id']) =>
  queryClient
    .getQueriesData<Loaded<E>>(listsOf(address))
    .flatMap(([, data]) => rowsOf(data))
    .find((entry) => entry.id === id);

const changePages = <E extends Entry>(address: string, change: (pages: Page<E>[]) => Page<E>[]) =>
  queryClient.setQueriesData<Loaded<E>>(
    listsOf(address),
    (data) => data && { ...data, pages: change(data.pages) },
  );

/** All lists of an address in the cache, whatever was searched for. */
const listsOf = (address: string) => ({
  predicate: ({ queryKey: [url, kind] }: Query) => kind === BY_PAGE && String(url).split('?')[0] === address,
});
