import { expect, test } from 'vitest';
import { levelOfPeak } from './level.ts';

test('the meter ranges from a quiet room to full scale, in decibels', () => {
  expect(levelOfPeak(0)).toBe(0);
  expect(levelOfPeak(0.001)).toBe(0);
  expect(levelOfPeak(0.05)).toBeCloseTo(0.48, 2);
  expect(levelOfPeak(1)).toBe(1);
  expect(levelOfPeak(1.1)).toBe(1);
});
