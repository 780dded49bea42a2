import { expect, test } from 'vitest';
import { areInboxEntriesEqual, mergeInboxEntries, getCurrentOrNextId } from './use-inbox-entries.ts';

const all = (...ids: number[]) => ids.map((id) => ({ id }));
const none = () => false;

test('appends new recordings and removes answered recordings', () => {
  expect(mergeInboxEntries([], all(1, 2), none)).toEqual(all(1, 2));
  expect(mergeInboxEntries(all(1, 2), all(2, 3), none)).toEqual(all(2, 3));
});

test('a card with a reply in progress keeps its place if another teacher answers', () => {
  expect(mergeInboxEntries(all(1, 2, 3), all(1, 3, 4), (id) => id === 2)).toEqual(all(1, 2, 3, 4));
  expect(mergeInboxEntries(all(1), [], (id) => id === 1)).toEqual(all(1));
});

test('a recording whose reply was undone returns to its old place', () => {
  expect(mergeInboxEntries(all(2, 3), all(1, 2, 3), none)).toEqual(all(1, 2, 3));
  expect(mergeInboxEntries(all(9, 1, 3), all(1, 2, 3), (id) => id === 9)).toEqual(all(9, 1, 2, 3));
});

test('merging the same pending recordings again changes nothing', () => {
  const [before, pending] = [all(1, 2), all(3)];
  const once = mergeInboxEntries(before, pending, (id) => id === 1);
  expect(
    areInboxEntriesEqual(
      mergeInboxEntries(once, pending, (id) => id === 1),
      once,
    ),
  ).toBe(true);
});

test('the open card stays open until its recording is removed, then a neighbour opens', () => {
  expect(getCurrentOrNextId(null, [], [1, 2, 3])).toBe(1);
  expect(getCurrentOrNextId(2, [1, 2, 3], [9, 1, 2, 3])).toBe(2);
  expect(getCurrentOrNextId(2, [1, 2, 3], [1, 3])).toBe(3);
  expect(getCurrentOrNextId(3, [1, 2, 3], [1, 2])).toBe(2);
  expect(getCurrentOrNextId(3, [3], [])).toBe(null);
});
