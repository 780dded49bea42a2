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
const tibetan = searchable([user('sgrolma', 'བཀྲ་ཤིས', 'སྒྲོལ་མ།'), user('sgralma', 'བཀྲ་ཤས', 'སྒྲལ་མ།')]);
const found = (query: string) => search(query).map(({ username }) => username);

test('users are found by several words in any order, ignoring case and accents', () => {
  expect(found('dorje TASHI')).toEqual(['tashi2']);
  expect(found('lhundrup')).toEqual(['lhundrup']);
  expect(found('Lhu\u0308ndrup')).toEqual(['lhundrup']);
  expect(found('example.org dor')).toEqual(['lhundrup', 'tashi2']);
  expect(found('  ')).toHaveLength(3);
  expect(found('nobody')).toEqual([]);
});

test('a Tibetan vowel is a letter and no accent, and a tsheg at the end of a word is ignored', () => {
  const usernames = (query: string) => tibetan(query).map(({ username }) => username);
  expect(usernames('བཀྲ་ཤིས')).toEqual(['sgrolma']);
  expect(usernames('བཀྲ་ཤས')).toEqual(['sgralma']);
  expect(usernames('སྒྲོལ་མ་')).toEqual(['sgrolma']);
});
