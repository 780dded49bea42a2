import { expect, test } from 'vitest';
import { formatMelodyDuration } from './format-melody-duration.ts';

test('shows tenths of a second in a duration only if they were measured', () => {
  expect(formatMelodyDuration(23)).toBe('0:23');
  expect(formatMelodyDuration(22.6)).toBe('0:22.6');
  expect(formatMelodyDuration(22.62)).toBe('0:22.6');
});
