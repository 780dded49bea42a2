import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, call, CallError, isOtherUser, isUnauthorized } from './call.ts';
import { knownAnswers } from './known-answers.ts';
import { forgetDevice } from '../offline/forget-device.ts';
import { lastUser } from '../offline/last-user.ts';
import { owedSignOut } from '../offline/owed-sign-out.ts';
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
      if (!(error instanceof CallError && error.status === 0)) throw error;
      if (owedSignOut() !== null) return null;
      // Without a connection, whoever was here last may open what lies on the device.
      const last = await lastUser();
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

export { displayName } from '#shared/display-name.ts';

/**
 * Removes what the session has fetched and who was signed in, from this page, the device, and the other open tabs. What
 * a person typed or sang is stored elsewhere, under that person's id, and stays.
 */
export function forgetSession() {
  forgetPage();
  void forgetDevice();
  sessionChannel().postMessage(null);
}

/** Removes it from this page alone, which shows the sign-in form then. */
export function forgetPage() {
  pageData.answers = {};
  knownAnswers.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  try {
    sessionStorage.clear();
  } catch {
    return;
  }
}

let channel: BroadcastChannel | null = null;

/** Messages say that the session has ended in another tab. */
export const sessionChannel = () => (channel ??= new BroadcastChannel('session ended'));
