import { expect, test } from 'vitest';
import { getMeterLevel } from './meter-level.ts';

test('the meter’s scale is in decibels, from a quiet room to full scale', () => {
  expect(getMeterLevel(0)).toBe(0);
  expect(getMeterLevel(0.001)).toBe(0);
  expect(getMeterLevel(0.05)).toBeCloseTo(0.48, 2);
  expect(getMeterLevel(1)).toBe(1);
  expect(getMeterLevel(1.1)).toBe(1);
});
