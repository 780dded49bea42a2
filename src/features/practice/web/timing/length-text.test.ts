import { expect, test } from 'vitest';
import { lengthText } from './length-text.ts';

test('shows tenths of a length only if they were measured', () => {
  expect(lengthText(23)).toBe('0:23');
  expect(lengthText(22.6)).toBe('0:22.6');
  expect(lengthText(22.62)).toBe('0:22.6');
});
