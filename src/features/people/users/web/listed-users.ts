import { useQuery } from '@tanstack/react-query';
import { findInPages, keepInPages, takeOutOfPages } from '#web/navigation/pages.ts';
import { apiQuery, queryClient } from '#web/api/query-client.ts';
import type { ListedUser } from '../contract.ts';
import type { User } from '#features/accounts/contract.ts';

// The pages that are there are not asked for anew because of one user.

export const USERS = '/api/admin/users';

const userQuery = (id: string) => apiQuery('GET /api/admin/users/{id}', { params: { id } });

/** One user, at first as the list has them. */
export const useListedUser = (id: string) =>
  useQuery({ ...userQuery(id), placeholderData: () => findInPages<ListedUser>(USERS, id) });

/** One user as they are now: what is theirs may have grown since the list was asked for. Null for none. */
export const useUserNow = (user: ListedUser | null) =>
  useQuery({ ...userQuery(user?.id ?? ''), enabled: user !== null, staleTime: 0 }).data ?? user;

export function forgetUser(id: string) {
  takeOutOfPages(USERS, id);
  queryClient.removeQueries({ queryKey: userQuery(id).queryKey });
}

export function showUser(changed: User) {
  keepInPages(USERS, changed);
  queryClient.setQueryData<ListedUser>(
    userQuery(changed.id).queryKey,
    (user) => user && { ...user, ...changed },
  );
}
