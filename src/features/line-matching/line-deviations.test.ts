import { expect, test } from 'vitest';
import { sungOtherwise } from './line-deviations.ts';

/** Six lines of five seconds, with a blank line after the third. */
const LINES = [0, 1, 2, 4, 5, 6];
const timings = LINES.map((line, at) => ({ line, start: at * 5 }));

/** Sung one after the other, each in four seconds, with a breath of one. */
const sung = (lines: number[], sure = 0.9) =>
  lines.map((line, at) => ({ line, start: at * 5, end: at * 5 + 4, sure }));
const otherwise = (found: ReturnType<typeof sung>) => sungOtherwise(found, timings);
const NOTHING = { leftOut: [], repeated: [] };

test('of a melody that is sung from its beginning to its end, nothing is said', () => {
  expect(otherwise(sung(LINES))).toEqual(NOTHING);
  expect(otherwise([])).toEqual(NOTHING);
});

test('lines missing between two that follow each other were left out', () => {
  expect(otherwise(sung([0, 1, 4, 5, 6])).leftOut).toEqual([2]);
  expect(otherwise(sung([0, 4, 6])).leftOut).toEqual([1, 2, 5]);
});

test('who practises a part leaves out nothing before and after it', () => {
  expect(otherwise(sung([2, 4, 5]))).toEqual(NOTHING);
  expect(otherwise(sung([2]))).toEqual(NOTHING);
});

test('a line that was sung once more is said with how often', () => {
  expect(otherwise(sung([0, 1, 1, 2])).repeated).toEqual([{ line: 1, times: 2 }]);
  // A chorus.
  expect(otherwise(sung([0, 1, 2, 1, 4, 1, 5]))).toEqual({ leftOut: [], repeated: [{ line: 1, times: 3 }] });
  // Begun again.
  expect(otherwise(sung([0, 1, 0, 1, 2]))).toEqual({
    leftOut: [],
    repeated: [
      { line: 0, times: 2 },
      { line: 1, times: 2 },
    ],
  });
});

test('where the program is not sure, nothing is said', () => {
  const unsure = { line: 2, start: 10, end: 14, sure: 0.3 };
  const [first, second, , fourth] = sung([0, 1, 2, 4]);
  expect(otherwise([first!, second!, unsure, fourth!])).toEqual(NOTHING);
  // Something unknown was sung between them.
  expect(otherwise([first!, second!, { ...unsure, line: 6 }, fourth!])).toEqual(NOTHING);
  expect(otherwise([first!, second!, { ...fourth!, sure: 0.4 }])).toEqual(NOTHING);
  expect(otherwise([first!, second!, { ...first!, start: 10, end: 14, sure: 0.4 }])).toEqual(NOTHING);
});

test('a pause in which the missing line may have been sung says nothing', () => {
  const [first, second] = sung([0, 1]);
  expect(otherwise([first!, second!, { line: 4, start: 14, end: 18, sure: 0.9 }])).toEqual(NOTHING);
  expect(otherwise([first!, second!, { line: 4, start: 11, end: 15, sure: 0.9 }]).leftOut).toEqual([2]);
});

test('lines are counted as they are sung, in whichever order the timings stand', () => {
  expect(sungOtherwise(sung([0, 1, 4]), timings.toReversed()).leftOut).toEqual([2]);
});

test('what the melody has no time for any more is passed over', () => {
  expect(otherwise(sung([0, 77, 4]))).toEqual(NOTHING);
});
