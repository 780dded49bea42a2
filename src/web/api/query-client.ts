import {
  type DefaultOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import {
  call,
  type CallError,
  type GetRoute,
  isUnauthorized,
  logFault,
  type OptionsArgument,
  buildUrl,
} from './call.ts';
import { handleLostSession } from './lost-session.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** May also be a bug of the page, which has none of these fields. */
    defaultError: CallError;
    mutationMeta: {
      /** Addresses whose data, and all data beneath them, this mutation makes stale. */
      refreshes?: readonly `/api/${string}`[];
    };
  }
}

/** Data here never goes stale by itself: only what a mutation names is refetched. */
const defaultOptions: DefaultOptions<CallError> = {
  queries: {
    staleTime: Infinity,
    // Infinity too: otherwise a page left for five minutes would be refetched.
    gcTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
  },
  mutations: { retry: false, networkMode: 'always' },
};

/**
 * The browser's client. On the server it stays empty because all users would share it; each request has its own there.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleError }),
  mutationCache: new MutationCache({
    // After the mutation's own error message: only one toast is shown at a time, and this one must be last.
    onSettled: (_data, error) => {
      if (error) handleError(error);
    },
    onSuccess: (_data, _variables, _result, mutation) => refresh(mutation.meta?.refreshes ?? []),
  }),
  defaultOptions,
});

/** Creates a client for one request, which holds only its caller's responses. */
export const createQueryClientForRequest = () => new QueryClient({ defaultOptions });

/**
 * Returns the query options of a GET, for `useQuery`, `useSuspenseQuery` and `queryClient.fetchQuery`; its address is
 * the key.
 */
export function apiQuery<R extends GetRoute>(route: R, ...options: OptionsArgument<R>) {
  const withSignal = (signal: AbortSignal) => [{ ...options[0], signal }] as unknown as OptionsArgument<R>;
  return queryOptions({
    queryKey: [buildUrl(route, ...options)] as const,
    queryFn: ({ signal }) => call(route, ...withSignal(signal)),
  });
}

/** Refetches the queries of these addresses that are on screen; the rest are fetched when they are next used. */
export function refresh(addresses: readonly string[]) {
  if (addresses.length === 0) return;
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [url] }) => addresses.some((address) => isUnderAddress(String(url), address)),
  });
}

export const isUnderAddress = (url: string, address: string) =>
  url === address || url.startsWith(`${address}/`) || url.startsWith(`${address}?`);

function handleError(error: Error) {
  logFault(error);
  const isSignedIn = Boolean(queryClient.getQueryData(['/api/user']));
  if (isSignedIn && isUnauthorized(error)) handleLostSession();
}
