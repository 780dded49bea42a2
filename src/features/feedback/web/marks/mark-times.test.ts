import { expect, test } from 'vitest';
import {
  endMarkAt,
  getMarkPassage,
  parseEditableTime,
  formatEditableTime,
  validateMarkTimes,
} from './mark-times.ts';

test.each([
  ['0:42', 42],
  ['1:05.5', 65.5],
  [' 42 ', 42],
  ['0:07,25', 7.3],
  ['90', 90],
])('parses %j as %d seconds', (typed, seconds) => {
  expect(parseEditableTime(typed)).toBe(seconds);
});

test.each(['', 'soon', '1:75', '1:2:3', '-3'])('rejects %j as a time', (typed) => {
  expect(parseEditableTime(typed)).toBeNull();
});

test.each([0, 4.5, 59.9, 60, 65.5, 600])(
  'formatting %d seconds and parsing the result returns the same number',
  (seconds) => {
    expect(parseEditableTime(formatEditableTime(seconds))).toBe(seconds);
  },
);

test('a mark without an end plays for four seconds', () => {
  expect(getMarkPassage({ start: 42, end: null })).toEqual({ start: 42, end: 46 });
  expect(getMarkPassage({ start: 42, end: 50 })).toEqual({ start: 42, end: 50 });
});

test('ignores an end that is before or too soon after the mark’s start', () => {
  const mark = { start: 10, end: null, text: '' };
  expect(endMarkAt(mark, 12.34)).toEqual({ start: 10, end: 12.3, text: '' });
  expect(endMarkAt(mark, 10.1)).toBe(mark);
  expect(endMarkAt(mark, 3)).toBe(mark);
});

test('explains why the start or end of a mark is invalid', () => {
  expect(validateMarkTimes(5, null, 60)).toBeNull();
  expect(validateMarkTimes(5, 9, 60)).toBeNull();
  expect(validateMarkTimes(null, null, 60)).toMatch(/like 0:42/);
  expect(validateMarkTimes(9, 5, 60)).toMatch(/after the start/);
  expect(validateMarkTimes(99, null, 60)).toMatch(/after the end/);
});
