import { queryClient } from '../../../platform/web/query-client.ts';
import type { ListedUser, User } from '../contract.ts';

// Thousands of users are not refetched because of one.

export const USERS = '/api/admin/users';

export const forgetUser = (id: string) => change((users) => users.filter((user) => user.id !== id));

export const showUser = (changed: User) =>
  change((users) => users.map((user) => (user.id === changed.id ? { ...user, ...changed } : user)));

const change = (next: (users: ListedUser[]) => ListedUser[]) =>
  queryClient.setQueryData<ListedUser[]>([USERS], (users) => users && next(users));
