import type { ListedUser } from '../contract.ts';

/** Finds users by words of their names, usernames and emails, in any order, case and accents. */
export function searchable(users: readonly ListedUser[]) {
  const entries = users.map((user) => {
    const { firstName, lastName, username, email } = user;
    return { user, text: folded([firstName, lastName, username, email].join(' ')) };
  });
  return (query: string) => {
    const words = folded(query).split(/\s+/).filter(Boolean);
    return entries.filter(({ text }) => words.every((word) => text.includes(word))).map(({ user }) => user);
  };
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
