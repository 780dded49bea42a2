import { expect, test } from 'vitest';
import { findLineDeviations } from './line-deviations.ts';

/** Six lines of five seconds, with a blank line after the third. */
const LINES = [0, 1, 2, 4, 5, 6];
const timings = LINES.map((line, at) => ({ line, start: at * 5 }));

/** Builds found lines that were each sung for four seconds and followed by a breath of one second. */
const buildFoundLines = (lines: number[], sure = 0.9) =>
  lines.map((line, at) => ({ line, start: at * 5, end: at * 5 + 4, sure }));
const findDeviations = (found: ReturnType<typeof buildFoundLines>) => findLineDeviations(found, timings);
const NOTHING = { leftOut: [], repeated: [] };

test('returns no deviations for a melody sung from beginning to end', () => {
  expect(findDeviations(buildFoundLines(LINES))).toEqual(NOTHING);
  expect(findDeviations([])).toEqual(NOTHING);
});

test('reports lines as left out if they are missing between two sung lines', () => {
  expect(findDeviations(buildFoundLines([0, 1, 4, 5, 6])).leftOut).toEqual([2]);
  expect(findDeviations(buildFoundLines([0, 4, 6])).leftOut).toEqual([1, 2, 5]);
});

test('does not report lines before or after a practised part as left out', () => {
  expect(findDeviations(buildFoundLines([2, 4, 5]))).toEqual(NOTHING);
  expect(findDeviations(buildFoundLines([2]))).toEqual(NOTHING);
});

test('reports how often a repeated line was sung', () => {
  expect(findDeviations(buildFoundLines([0, 1, 1, 2])).repeated).toEqual([{ line: 1, times: 2 }]);
  // The second line is a chorus.
  expect(findDeviations(buildFoundLines([0, 1, 2, 1, 4, 1, 5]))).toEqual({
    leftOut: [],
    repeated: [{ line: 1, times: 3 }],
  });
  // The student starts again from the first line.
  expect(findDeviations(buildFoundLines([0, 1, 0, 1, 2]))).toEqual({
    leftOut: [],
    repeated: [
      { line: 0, times: 2 },
      { line: 1, times: 2 },
    ],
  });
});

test('ignores lines found with low confidence', () => {
  const unsure = { line: 2, start: 10, end: 14, sure: 0.3 };
  const [first, second, , fourth] = buildFoundLines([0, 1, 2, 4]);
  expect(findDeviations([first!, second!, unsure, fourth!])).toEqual(NOTHING);
  // Something unknown was sung between the two lines.
  expect(findDeviations([first!, second!, { ...unsure, line: 6 }, fourth!])).toEqual(NOTHING);
  expect(findDeviations([first!, second!, { ...fourth!, sure: 0.4 }])).toEqual(NOTHING);
  expect(findDeviations([first!, second!, { ...first!, start: 10, end: 14, sure: 0.4 }])).toEqual(NOTHING);
});

test('does not report a line as left out if it may have been sung in a long pause', () => {
  const [first, second] = buildFoundLines([0, 1]);
  expect(findDeviations([first!, second!, { line: 4, start: 14, end: 18, sure: 0.9 }])).toEqual(NOTHING);
  expect(findDeviations([first!, second!, { line: 4, start: 11, end: 15, sure: 0.9 }]).leftOut).toEqual([2]);
});

test('reports lines as left out even if the timings are not in order', () => {
  expect(findLineDeviations(buildFoundLines([0, 1, 4]), timings.toReversed()).leftOut).toEqual([2]);
});

test('ignores a line that no longer has a timing', () => {
  expect(findDeviations(buildFoundLines([0, 77, 4]))).toEqual(NOTHING);
});
