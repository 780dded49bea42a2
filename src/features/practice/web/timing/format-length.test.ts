import { expect, test } from 'vitest';
import { formatLength } from './format-length.ts';

test('shows tenths of a second in a duration only if they were measured', () => {
  expect(formatLength(23)).toBe('0:23');
  expect(formatLength(22.6)).toBe('0:22.6');
  expect(formatLength(22.62)).toBe('0:22.6');
});
