import { expect, test } from 'vitest';
import {
  getTodaysNextStep,
  getFirstUnfinishedMelodyId,
  formatRepetitions,
  isTodaysItemDone,
  estimateListMinutes,
  moveId,
  getNextUnfinishedMelodyId,
} from './todays-list.ts';

const list = [
  { melodyId: 1, times: 3, duration: 60 },
  { melodyId: 2, times: 1, duration: null },
  { melodyId: 3, times: 2, duration: 40 },
];

test('a melody is done when it has been sung as often as planned', () => {
  expect(isTodaysItemDone(list[0]!, {})).toBe(false);
  expect(isTodaysItemDone(list[0]!, { 1: 2 })).toBe(false);
  expect(isTodaysItemDone(list[0]!, { 1: 3 })).toBe(true);
  expect(isTodaysItemDone(list[0]!, { 1: 4 })).toBe(true);
});

test('the list starts with the first unfinished melody, or the first if all are done', () => {
  expect(getFirstUnfinishedMelodyId(list, {})).toBe(1);
  expect(getFirstUnfinishedMelodyId(list, { 1: 3, 2: 1 })).toBe(3);
  expect(getFirstUnfinishedMelodyId(list, { 1: 3, 2: 1, 3: 2 })).toBe(1);
  expect(getFirstUnfinishedMelodyId([], {})).toBeNull();
});

test('a melody repeats until it is done, then the next unfinished melody follows', () => {
  expect(getTodaysNextStep(list, { 1: 1 }, 1)).toEqual({ kind: 'again' });
  expect(getTodaysNextStep(list, { 1: 3 }, 1)).toEqual({ kind: 'next', melodyId: 2 });
  expect(getTodaysNextStep(list, { 1: 3, 2: 1 }, 1)).toEqual({ kind: 'next', melodyId: 3 });
  expect(getTodaysNextStep(list, { 3: 2 }, 3), 'a skipped melody comes last').toEqual({
    kind: 'next',
    melodyId: 1,
  });
  expect(getTodaysNextStep(list, { 1: 3, 2: 1, 3: 2 }, 3)).toEqual({ kind: 'rest' });
  expect(getTodaysNextStep([], {}, 3)).toEqual({ kind: 'rest' });
});

test('after a melody that is not on the list, the first unfinished melody follows', () => {
  expect(getNextUnfinishedMelodyId(list, { 1: 3 }, 99)).toBe(2);
  expect(getTodaysNextStep(list, {}, 99)).toEqual({ kind: 'next', melodyId: 1 });
});

test('a melody moves up and down in today’s list, but not past its ends', () => {
  expect(moveId([1, 2, 3], 3, -1)).toEqual([1, 3, 2]);
  expect(moveId([1, 2, 3], 1, 1)).toEqual([2, 1, 3]);
  expect(moveId([1, 2, 3], 1, -1)).toEqual([1, 2, 3]);
  expect(moveId([1, 2, 3], 3, 1)).toEqual([1, 2, 3]);
  expect(moveId([1, 2, 3], 1, 2)).toEqual([2, 3, 1]);
});

test('estimates the length of the list in minutes, and formats repetitions', () => {
  expect(estimateListMinutes(list)).toBe(4);
  expect(estimateListMinutes([{ melodyId: 1, times: 1, duration: 5 }])).toBe(1);
  expect(estimateListMinutes([list[1]!])).toBeNull();
  expect([formatRepetitions(1), formatRepetitions(7)]).toEqual(['1 time', '7 times']);
});
