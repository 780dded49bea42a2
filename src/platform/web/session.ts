import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, call, CallError, isOtherUser, isUnauthorized } from './call.ts';
import { lastUser, rememberUser } from './offline/last-user.ts';
import { pageData } from './page-data.ts';
import { setPageUser } from './page-user.ts';
import { queryClient } from './query-client.ts';

export type User = Answer<'GET /api/user'>;

/** Null means signed out. */
export const sessionQuery = queryOptions({
  queryKey: ['/api/user'] as const,
  queryFn: async ({ client, signal }): Promise<User | null> => {
    try {
      const user = await call('GET /api/user', { signal });
      setPageUser(user.id);
      return user;
    } catch (error) {
      if (isUnauthorized(error)) return null;
      // The page goes on showing whose it is, and every call that it makes is refused.
      if (isOtherUser(error)) return client.getQueryData<User | null>(['/api/user']) ?? null;
      // Without a connection, whoever was here last may open what lies on the device.
      const last = error instanceof CallError && error.status === 0 ? lastUser() : null;
      if (!last) throw error;
      setPageUser(last.id);
      return last;
    }
  },
});

/** Who is here: a user, null for a visitor, 'loading' while that is not known. */
export function useSession(): User | null | 'loading' {
  const { data } = useQuery(sessionQuery);
  return data === undefined ? 'loading' : data;
}

/** The signed-in user; only for what shows inside the layout. */
export function useUser(): User {
  const session = useSession();
  if (session === null || session === 'loading') throw new Error('Nobody is signed in here');
  return session;
}

export { displayName } from '../contract/display-name.ts';

/**
 * The session has ended on the server: what was fetched in it goes. What a person typed or sang lies elsewhere, under
 * that person's id, and stays.
 */
export function forgetSession() {
  rememberUser(null);
  // As the service worker has done already, unless this page was loaded without it.
  (globalThis as Partial<typeof globalThis>).indexedDB?.deleteDatabase('pack');
  pageData.answers = {};
  queryClient.setQueryData(sessionQuery.queryKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  try {
    sessionStorage.clear();
  } catch {
    return;
  }
}
