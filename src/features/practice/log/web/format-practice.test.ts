import { expect, test } from 'vitest';
import {
  formatPracticeDay,
  formatPracticeDuration,
  formatPracticeTotals,
  parseWholeNumber,
} from './format-practice.ts';

test.each([
  [0, '0 min'],
  [1, '1 min'],
  [89, '1 min'],
  [90, '2 min'],
  [3599, '1 h'],
  [15_600, '4 h 20 min'],
  [3_600_000, '1,000 h'],
])('formats %i seconds as %s', (seconds, words) => expect(formatPracticeDuration(seconds)).toBe(words));

test('omits the number of times if it is 0', () => {
  expect(formatPracticeTotals({ seconds: 720, times: 0 })).toBe('12 min');
  expect(formatPracticeTotals({ seconds: 720, times: 1 })).toBe('12 min, 1 time');
  expect(formatPracticeTotals({ seconds: 720, times: 1112 })).toBe('12 min, 1,112 times');
});

test('formats a day as a date, and the current day as Today', () => {
  expect(formatPracticeDay('2026-11-20', '2026-11-20')).toBe('Today');
  expect(formatPracticeDay('2026-11-20', '2026-11-21')).toBe('20 November 2026');
});

test.each([
  ['100,000', 100_000],
  ['100 000', 100_000],
  ['100.000', 100_000],
  ['', 7],
  ['  ', 7],
  ['0', 0],
  ['100,001', null],
  ['1,00,000', 100_000],
  ['1.5', null],
  ['1,50', null],
  [' 12 ', 12],
  ['-1', null],
  ['12a', null],
  ['1e3', null],
  ['1234567890123', null],
])('with a maximum of 100,000 and a default of 7, parses %j as %s', (typed, number) =>
  expect(parseWholeNumber(typed, 100_000, 7)).toBe(number),
);
