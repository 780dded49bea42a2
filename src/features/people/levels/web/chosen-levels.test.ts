import { expect, test } from 'vitest';
import { resolveChosenLevels } from './chosen-levels.ts';

const levels = ['Open to All', 'Refuge', 'Mahamudra'].map((name, index) => ({
  id: index + 1,
  name,
  description: null,
  neverKept: false,
}));

test('“Open to All” is preselected, even if the levels load later than the form', () => {
  expect(resolveChosenLevels(null, [])).toEqual([]);
  expect(resolveChosenLevels(null, levels)).toEqual([1]);
});

test('keeps the chosen levels, even if there are none, and drops deleted levels', () => {
  expect(resolveChosenLevels([3, 2], levels)).toEqual([2, 3]);
  expect(resolveChosenLevels([], levels)).toEqual([]);
  expect(resolveChosenLevels([2, 9], levels)).toEqual([2]);
});
