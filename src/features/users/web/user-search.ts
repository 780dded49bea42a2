import { folded, wordsOf } from '../../../platform/contract/search-words.ts';
import type { ListedUser } from '../contract.ts';

/** Finds users by words of their names, usernames and emails, in any order; folded as in the search of melodies. */
export function searchable(users: readonly ListedUser[]) {
  const entries = users.map((user) => {
    const { firstName, lastName, username, email } = user;
    return { user, text: folded([firstName, lastName, username, email].join(' ')) };
  });
  return (query: string) => {
    const words = wordsOf(query);
    return entries.filter(({ text }) => words.every((word) => text.includes(word))).map(({ user }) => user);
  };
}
