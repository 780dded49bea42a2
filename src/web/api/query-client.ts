import {
  type DefaultOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import {
  callApi,
  type CallError,
  type ApiGetRoute,
  isUnauthorizedError,
  logUnexpectedError,
  type OptionsArgument,
  buildApiUrl,
} from './call.ts';
import { handleLostSession } from './lost-session.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** At runtime, this may also be an exception from our own code, which lacks the fields of CallError. */
    defaultError: CallError;
    mutationMeta: {
      /** URLs whose data this mutation makes stale, including the URLs below them. */
      refreshes?: readonly `/api/${string}`[];
    };
  }
}

/**
 * Defaults for queries and mutations. Data never goes stale by itself; it is refetched only after a live
 * change or {@link refreshQueries}.
 */
const defaultOptions: DefaultOptions<CallError> = {
  queries: {
    staleTime: Infinity,
    // Keeps the data of unmounted components too. The default would drop it after five minutes, so that
    // returning to a page would refetch it.
    gcTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
  },
  mutations: { retry: false, networkMode: 'always' },
};

/**
 * The browser's client. On the server, all users would share this client, so it stays empty and each request
 * has its own.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleError }),
  mutationCache: new MutationCache({
    // Handles errors in `onSettled`, because it runs after the mutation's own `onError`. Only one toast is
    // shown at a time, and the toast about the lost session must win.
    onSettled: (_data, error) => {
      if (error) handleError(error);
    },
    onSuccess: (_data, _variables, _result, mutation) => refreshQueries(mutation.meta?.refreshes ?? []),
  }),
  defaultOptions,
});

/** Creates a client for one request on the server, so that its cache contains responses for only one user. */
export const createQueryClientForRequest = () => new QueryClient({ defaultOptions });

/**
 * Returns the query options of a GET, for `useQuery`, `useSuspenseQuery` and `queryClient.fetchQuery`. The URL
 * is the query key.
 */
export function createApiQuery<R extends ApiGetRoute>(route: R, ...options: OptionsArgument<R>) {
  const withSignal = (signal: AbortSignal) => [{ ...options[0], signal }] as unknown as OptionsArgument<R>;
  return queryOptions({
    queryKey: [buildApiUrl(route, ...options)] as const,
    queryFn: ({ signal }) => callApi(route, ...withSignal(signal)),
  });
}

/**
 * Marks the queries of these URLs, and of URLs below them, as stale. Those on screen are refetched now, the
 * others when they are next used.
 */
export function refreshQueries(addresses: readonly string[]) {
  if (addresses.length === 0) return;
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [url] }) => addresses.some((address) => isUnderPath(String(url), address)),
  });
}

export const isUnderPath = (url: string, address: string) =>
  url === address || url.startsWith(`${address}/`) || url.startsWith(`${address}?`);

function handleError(error: Error) {
  logUnexpectedError(error);
  const isSignedIn = Boolean(queryClient.getQueryData(['/api/user']));
  if (isSignedIn && isUnauthorizedError(error)) handleLostSession();
}
