import { expect, test } from 'vitest';
import { formatAttemptName } from './attempt-name.ts';

test.each([
  [1, 'First recording'],
  [3, 'Third recording'],
  [10, 'Tenth recording'],
  [11, '11th recording'],
  [21, '21st recording'],
  [42, '42nd recording'],
  [113, '113th recording'],
])('attempt %d is named “%s”', (attempt, name) => {
  expect(formatAttemptName(attempt)).toBe(name);
});
