import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiResponse, callApi, CallError, isOtherUserError, isUnauthorizedError } from './call.ts';
import { etagCache } from './etag-cache.ts';
import { clearDeviceData } from '../offline/clear-device-data.ts';
import { readLastUser } from '../offline/last-user.ts';
import { getPendingSignOutUserId } from '../offline/pending-sign-out.ts';
import { pageData } from './page-data.ts';
import { setPageUserId } from './page-user.ts';
import { queryClient } from './query-client.ts';

export type SignedInUser = ApiResponse<'GET /api/user'>;

/** Query for the signed-in user; null if signed out. */
export const sessionQuery = queryOptions({
  queryKey: ['/api/user'] as const,
  queryFn: async ({ client, signal }): Promise<SignedInUser | null> => {
    try {
      const user = await callApi('GET /api/user', { signal });
      setPageUserId(user.id);
      return user;
    } catch (error) {
      if (isUnauthorizedError(error)) return null;
      // Another user is signed in now, but this page still shows the earlier user's data, so the query
      // returns the earlier user. The server rejects every call from this page.
      if (isOtherUserError(error)) return client.getQueryData<SignedInUser | null>(['/api/user']) ?? null;
      if (!(error instanceof CallError && error.status === 0)) throw error;
      if (getPendingSignOutUserId() !== null) return null;
      // While offline, returns the last user, who may open what is stored on the device.
      const last = await readLastUser();
      if (!last) throw error;
      setPageUserId(last.id);
      return last;
    }
  },
});

/** Returns the signed-in user, null for a visitor, 'loading' while unknown. */
export function useSession(): SignedInUser | null | 'loading' {
  const { data } = useQuery(sessionQuery);
  return data === undefined ? 'loading' : data;
}

/** Returns the signed-in user; only for components inside the layout. */
export function useUser(): SignedInUser {
  const session = useSession();
  if (session === null || session === 'loading') throw new Error('Nobody is signed in here');
  return session;
}

export { formatDisplayName } from '#shared/display-name.ts';

/**
 * Removes the session's user and fetched data from this page, the device and the other open tabs. Keeps the
 * user's drafts and recordings, which are stored separately under the user's id.
 */
export function clearSession() {
  clearPageSession();
  void clearDeviceData();
  getSessionEndedChannel().postMessage(null);
}

/** Removes the session's data from this page only. The page then shows the sign-in form. */
export function clearPageSession() {
  pageData.answers = {};
  etagCache.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  try {
    sessionStorage.clear();
  } catch {
    return;
  }
}

let channel: BroadcastChannel | null = null;

/** Returns the channel between the browser's tabs. A message on it means that another tab ended the session. */
export const getSessionEndedChannel = () => (channel ??= new BroadcastChannel('session ended'));
