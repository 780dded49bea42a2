import { expect, test } from 'vitest';
import {
  getNextStep,
  getFirstUnfinished,
  formatTimes,
  isItemDone,
  estimateMinutes,
  moveItem,
  getNextUnfinished,
} from './todays-list.ts';

const list = [
  { melodyId: 1, times: 3, duration: 60 },
  { melodyId: 2, times: 1, duration: null },
  { melodyId: 3, times: 2, duration: 40 },
];

test('a melody is done when it has been sung as often as planned', () => {
  expect(isItemDone(list[0]!, {})).toBe(false);
  expect(isItemDone(list[0]!, { 1: 2 })).toBe(false);
  expect(isItemDone(list[0]!, { 1: 3 })).toBe(true);
  expect(isItemDone(list[0]!, { 1: 4 })).toBe(true);
});

test('today’s list starts with the first unfinished melody, or over if all are done', () => {
  expect(getFirstUnfinished(list, {})).toBe(1);
  expect(getFirstUnfinished(list, { 1: 3, 2: 1 })).toBe(3);
  expect(getFirstUnfinished(list, { 1: 3, 2: 1, 3: 2 })).toBe(1);
  expect(getFirstUnfinished([], {})).toBeNull();
});

test('a melody repeats until it is done, then the next unfinished melody follows', () => {
  expect(getNextStep(list, { 1: 1 }, 1)).toEqual({ do: 'again' });
  expect(getNextStep(list, { 1: 3 }, 1)).toEqual({ do: 'next', melodyId: 2 });
  expect(getNextStep(list, { 1: 3, 2: 1 }, 1)).toEqual({ do: 'next', melodyId: 3 });
  expect(getNextStep(list, { 3: 2 }, 3), 'a skipped melody comes last').toEqual({
    do: 'next',
    melodyId: 1,
  });
  expect(getNextStep(list, { 1: 3, 2: 1, 3: 2 }, 3)).toEqual({ do: 'rest' });
  expect(getNextStep([], {}, 3)).toEqual({ do: 'rest' });
});

test('after a melody outside the list, the first unfinished melody follows', () => {
  expect(getNextUnfinished(list, { 1: 3 }, 99)).toBe(2);
  expect(getNextStep(list, {}, 99)).toEqual({ do: 'next', melodyId: 1 });
});

test('a melody moves up and down in today’s list, but not past its ends', () => {
  expect(moveItem([1, 2, 3], 3, -1)).toEqual([1, 3, 2]);
  expect(moveItem([1, 2, 3], 1, 1)).toEqual([2, 1, 3]);
  expect(moveItem([1, 2, 3], 1, -1)).toEqual([1, 2, 3]);
  expect(moveItem([1, 2, 3], 3, 1)).toEqual([1, 2, 3]);
  expect(moveItem([1, 2, 3], 1, 2)).toEqual([2, 3, 1]);
});

test('estimates the length of the list in minutes, and formats numbers of times', () => {
  expect(estimateMinutes(list)).toBe(4);
  expect(estimateMinutes([{ melodyId: 1, times: 1, duration: 5 }])).toBe(1);
  expect(estimateMinutes([list[1]!])).toBeNull();
  expect([formatTimes(1), formatTimes(7)]).toEqual(['1 time', '7 times']);
});
