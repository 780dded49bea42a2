import { expect, test } from 'vitest';
import type { ListedUser } from '../contract.ts';
import { searchable } from './user-search.ts';

const user = (username: string, firstName: string, lastName: string) =>
  ({ username, firstName, lastName, email: `${username}@example.org` }) as ListedUser;

const search = searchable([
  user('lhundrup', 'Lhündrup', 'Dorje'),
  user('tashi', 'Tashi', 'Dolma'),
  user('tashi2', 'Tashi', 'Dorje'),
]);
const found = (query: string) => search(query).map(({ username }) => username);

test('users are found by several words in any order, whatever their case and accents', () => {
  expect(found('dorje TASHI')).toEqual(['tashi2']);
  expect(found('lhundrup')).toEqual(['lhundrup']);
  expect(found('Lhu\u0308ndrup')).toEqual(['lhundrup']);
  expect(found('example.org dor')).toEqual(['lhundrup', 'tashi2']);
  expect(found('  ')).toHaveLength(3);
  expect(found('nobody')).toEqual([]);
});
