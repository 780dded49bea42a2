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
  noteFault,
  type OptionsArgument,
  urlOf,
} from './call.ts';
import { loseSession } from './lost-session.ts';

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
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({
    // After the mutation's own error message: only one toast is shown at a time, and this one must be last.
    onSettled: (_data, error) => {
      if (error) notice(error);
    },
    onSuccess: (_data, _variables, _result, mutation) => refresh(mutation.meta?.refreshes ?? []),
  }),
  defaultOptions,
});

/** Creates a client for one request, which holds only its caller's responses. */
export const queryClientForRequest = () => new QueryClient({ defaultOptions });

/**
 * Returns the query options of a GET, for `useQuery`, `useSuspenseQuery` and `queryClient.fetchQuery`; its address is
 * the key.
 */
export function apiQuery<R extends GetRoute>(route: R, ...options: OptionsArgument<R>) {
  const withSignal = (signal: AbortSignal) => [{ ...options[0], signal }] as unknown as OptionsArgument<R>;
  return queryOptions({
    queryKey: [urlOf(route, ...options)] as const,
    queryFn: ({ signal }) => call(route, ...withSignal(signal)),
  });
}

/** Refetches the queries of these addresses that are on screen; the rest are fetched when they are next used. */
export function refresh(addresses: readonly string[]) {
  if (addresses.length === 0) return;
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [url] }) => addresses.some((address) => isBeneath(String(url), address)),
  });
}

export const isBeneath = (url: string, address: string) =>
  url === address || url.startsWith(`${address}/`) || url.startsWith(`${address}?`);

function notice(error: Error) {
  noteFault(error);
  const isSignedIn = Boolean(queryClient.getQueryData(['/api/user']));
  if (isSignedIn && isUnauthorized(error)) loseSession();
}
