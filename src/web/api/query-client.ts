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
    /** Or a fault of the page, which has none of its fields. */
    defaultError: CallError;
    mutationMeta: {
      /** Addresses whose data, and all data beneath them, this mutation makes old. */
      refreshes?: readonly `/api/${string}`[];
    };
  }
}

/** Data here never goes stale by itself: only what a mutation names is fetched again. */
const defaultOptions: DefaultOptions<CallError> = {
  queries: {
    staleTime: Infinity,
    // Infinity too: otherwise a page left for five minutes would be fetched again.
    gcTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
  },
  mutations: { retry: false, networkMode: 'always' },
};

/** The browser's. On the server it stays empty, being everyone's: there each request has one of its own. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({
    // After the mutation's own words about its failure: one toast shows at once, and this one is the last.
    onSettled: (_data, error) => {
      if (error) notice(error);
    },
    onSuccess: (_data, _variables, _result, mutation) => refresh(mutation.meta?.refreshes ?? []),
  }),
  defaultOptions,
});

/** A client that holds one caller's answers and is dropped with the request. */
export const queryClientForRequest = () => new QueryClient({ defaultOptions });

/** A GET as query options, for `useQuery`, `useSuspenseQuery` and `queryClient.fetchQuery`; the key is its address. */
export function apiQuery<R extends GetRoute>(route: R, ...options: OptionsArgument<R>) {
  const withSignal = (signal: AbortSignal) => [{ ...options[0], signal }] as unknown as OptionsArgument<R>;
  return queryOptions({
    queryKey: [urlOf(route, ...options)] as const,
    queryFn: ({ signal }) => call(route, ...withSignal(signal)),
  });
}

/** Fetches anew what is on screen of these addresses, and the rest when it is next asked for. */
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
