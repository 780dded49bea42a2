import { expect, test } from 'vitest';
import { findLineDeviations } from './line-deviations.ts';

/** Six lines of five seconds, with a blank line after the third. */
const LINES = [0, 1, 2, 4, 5, 6];
const timings = LINES.map((line, at) => ({ line, start: at * 5 }));

/** Sings the lines one after another, each for four seconds followed by a breath of one second. */
const sung = (lines: number[], sure = 0.9) =>
  lines.map((line, at) => ({ line, start: at * 5, end: at * 5 + 4, sure }));
const otherwise = (found: ReturnType<typeof sung>) => findLineDeviations(found, timings);
const NOTHING = { leftOut: [], repeated: [] };

test('returns nothing for a melody sung from beginning to end', () => {
  expect(otherwise(sung(LINES))).toEqual(NOTHING);
  expect(otherwise([])).toEqual(NOTHING);
});

test('reports lines missing between two consecutive sung lines as left out', () => {
  expect(otherwise(sung([0, 1, 4, 5, 6])).leftOut).toEqual([2]);
  expect(otherwise(sung([0, 4, 6])).leftOut).toEqual([1, 2, 5]);
});

test('does not report lines before or after a practised part as left out', () => {
  expect(otherwise(sung([2, 4, 5]))).toEqual(NOTHING);
  expect(otherwise(sung([2]))).toEqual(NOTHING);
});

test('reports how often a repeated line was sung', () => {
  expect(otherwise(sung([0, 1, 1, 2])).repeated).toEqual([{ line: 1, times: 2 }]);
  // The second line is a chorus.
  expect(otherwise(sung([0, 1, 2, 1, 4, 1, 5]))).toEqual({ leftOut: [], repeated: [{ line: 1, times: 3 }] });
  // The student starts again from the first line.
  expect(otherwise(sung([0, 1, 0, 1, 2]))).toEqual({
    leftOut: [],
    repeated: [
      { line: 0, times: 2 },
      { line: 1, times: 2 },
    ],
  });
});

test('ignores guessed lines', () => {
  const unsure = { line: 2, start: 10, end: 14, sure: 0.3 };
  const [first, second, , fourth] = sung([0, 1, 2, 4]);
  expect(otherwise([first!, second!, unsure, fourth!])).toEqual(NOTHING);
  // Something unknown was sung between the two lines.
  expect(otherwise([first!, second!, { ...unsure, line: 6 }, fourth!])).toEqual(NOTHING);
  expect(otherwise([first!, second!, { ...fourth!, sure: 0.4 }])).toEqual(NOTHING);
  expect(otherwise([first!, second!, { ...first!, start: 10, end: 14, sure: 0.4 }])).toEqual(NOTHING);
});

test('does not report a line that may have been sung in a long pause', () => {
  const [first, second] = sung([0, 1]);
  expect(otherwise([first!, second!, { line: 4, start: 14, end: 18, sure: 0.9 }])).toEqual(NOTHING);
  expect(otherwise([first!, second!, { line: 4, start: 11, end: 15, sure: 0.9 }]).leftOut).toEqual([2]);
});

test('orders lines by time, whatever the order of the timings', () => {
  expect(findLineDeviations(sung([0, 1, 4]), timings.toReversed()).leftOut).toEqual([2]);
});

test('ignores a line that no longer has a timing', () => {
  expect(otherwise(sung([0, 77, 4]))).toEqual(NOTHING);
});
