import { expect, test } from 'vitest';
import { afterTurn, firstOf, inTimes, isDone, minutesOf, moved, nextAfter } from './todays-list.ts';

const list = [
  { melodyId: 1, times: 3, duration: 60 },
  { melodyId: 2, times: 1, duration: null },
  { melodyId: 3, times: 2, duration: 40 },
];

test('a melody is done once sung as often as planned', () => {
  expect(isDone(list[0]!, {})).toBe(false);
  expect(isDone(list[0]!, { 1: 2 })).toBe(false);
  expect(isDone(list[0]!, { 1: 3 })).toBe(true);
  expect(isDone(list[0]!, { 1: 4 })).toBe(true);
});

test('the list starts with the first unfinished melody, or the first if all are done', () => {
  expect(firstOf(list, {})).toBe(1);
  expect(firstOf(list, { 1: 3, 2: 1 })).toBe(3);
  expect(firstOf(list, { 1: 3, 2: 1, 3: 2 })).toBe(1);
  expect(firstOf([], {})).toBeNull();
});

test('a melody repeats until it is done, then the next one follows', () => {
  expect(afterTurn(list, { 1: 1 }, 1)).toEqual({ do: 'again' });
  expect(afterTurn(list, { 1: 3 }, 1)).toEqual({ do: 'next', melodyId: 2 });
  expect(afterTurn(list, { 1: 3, 2: 1 }, 1)).toEqual({ do: 'next', melodyId: 3 });
  expect(afterTurn(list, { 3: 2 }, 3), 'a skipped melody comes last').toEqual({
    do: 'next',
    melodyId: 1,
  });
  expect(afterTurn(list, { 1: 3, 2: 1, 3: 2 }, 3)).toEqual({ do: 'rest' });
  expect(afterTurn([], {}, 3)).toEqual({ do: 'rest' });
});

test('after a melody outside the list, the first unfinished one follows', () => {
  expect(nextAfter(list, { 1: 3 }, 99)).toBe(2);
  expect(afterTurn(list, {}, 99)).toEqual({ do: 'next', melodyId: 1 });
});

test('a melody moves up and down, but not past either end', () => {
  expect(moved([1, 2, 3], 3, -1)).toEqual([1, 3, 2]);
  expect(moved([1, 2, 3], 1, 1)).toEqual([2, 1, 3]);
  expect(moved([1, 2, 3], 1, -1)).toEqual([1, 2, 3]);
  expect(moved([1, 2, 3], 3, 1)).toEqual([1, 2, 3]);
  expect(moved([1, 2, 3], 1, 2)).toEqual([2, 3, 1]);
});

test('the length of the list is given in minutes', () => {
  expect(minutesOf(list)).toBe(4);
  expect(minutesOf([{ melodyId: 1, times: 1, duration: 5 }])).toBe(1);
  expect(minutesOf([list[1]!])).toBeNull();
  expect([inTimes(1), inTimes(7)]).toEqual(['1 time', '7 times']);
});
