import { expect, test } from 'vitest';
import { attemptName } from './attempt-name.ts';

test.each([
  [1, 'First attempt'],
  [3, 'Third attempt'],
  [10, 'Tenth attempt'],
  [11, '11th attempt'],
  [21, '21st attempt'],
  [42, '42nd attempt'],
  [113, '113th attempt'],
])('attempt %d is called the %s', (attempt, name) => {
  expect(attemptName(attempt)).toBe(name);
});
