import { expect, test } from 'vitest';
import { describeLineDeviations } from './describe-line-deviations.ts';

test.each([
  [[4], [], 'line 4 left out'],
  [[], [[2, 2]], 'line 2 twice'],
  [[5, 2], [], 'lines 2 and 5 left out'],
  [[2, 3, 4, 7, 9, 10], [], 'lines 2–4, 7, 9, and 10 left out'],
  [
    [4],
    [
      [1, 3],
      [2, 2],
      [3, 2],
      [5, 7],
    ],
    'line 4 left out, lines 2 and 3 twice, line 1 three times, line 5 7 times',
  ],
] as const)('describes which lines were left out or repeated (case %#)', (leftOut, repeated, said) => {
  expect(
    describeLineDeviations({
      leftOut: [...leftOut],
      repeated: repeated.map(([line, times]) => ({ line, times })),
    }),
  ).toBe(said);
});
