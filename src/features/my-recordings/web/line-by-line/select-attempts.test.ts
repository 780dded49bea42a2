import { expect, test } from 'vitest';
import { selectAttempts } from './select-attempts.ts';

const ofCount = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1 }));
const idsOf = (count: number, own: number, chosen: number | null = null) =>
  selectAttempts(ofCount(count), { own, chosen }).map(({ id }) => id);

test('offers all attempts if there are at most four', () => {
  expect([idsOf(1, 1), idsOf(4, 2), idsOf(4, 2, 3)]).toEqual([[1], [1, 2, 3, 4], [1, 2, 3, 4]]);
});

test('shortens a long list to the first, last two, current and chosen attempts', () => {
  expect([idsOf(5, 5), idsOf(7, 3), idsOf(7, 3, 5), idsOf(7, 1, 99)]).toEqual([
    [1, 4, 5],
    [1, 3, 6, 7],
    [1, 3, 5, 6, 7],
    [1, 6, 7],
  ]);
});
