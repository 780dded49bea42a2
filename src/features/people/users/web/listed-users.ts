import { useQuery } from '@tanstack/react-query';
import { findInPages, updateInPages, removeFromPages } from '#web/navigation/paged-list.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import type { ListedUser } from '../contract.ts';
import type { User } from '#features/accounts/contract.ts';

// A change to one user updates the cached pages of the list in place, because refetching all pages would be
// slow.

export const USERS_PATH = '/api/admin/users';

const userQuery = (id: string) => createApiQuery('GET /api/admin/users/{id}', { params: { id } });

/**
 * Fetches a user. Until the response arrives, returns the user's entry in the cached list, if there is one.
 */
export const useListedUser = (id: string) =>
  useQuery({ ...userQuery(id), placeholderData: () => findInPages<ListedUser>(USERS_PATH, id) });

/**
 * Refetches a user, who may have more recordings than when the list was fetched. Returns the given user until
 * the response arrives, and null if `user` is null.
 */
export const useFreshUser = (user: ListedUser | null) =>
  useQuery({ ...userQuery(user?.id ?? ''), enabled: user !== null, staleTime: 0 }).data ?? user;

export function removeCachedUser(id: string) {
  removeFromPages(USERS_PATH, id);
  queryClient.removeQueries({ queryKey: userQuery(id).queryKey });
}

export function updateCachedUser(changed: User) {
  updateInPages(USERS_PATH, changed);
  queryClient.setQueryData<ListedUser>(
    userQuery(changed.id).queryKey,
    (user) => user && { ...user, ...changed },
  );
}
