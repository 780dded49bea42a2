import { expect, test } from 'vitest';
import { dayFrom, dayOf } from './put-aside.ts';

const now = new Date(2026, 10, 30, 22, 15);

test('a day begins at local midnight', () => {
  expect(dayFrom(now, 1)).toEqual(new Date(2026, 11, 1));
  expect(dayFrom(now, 7)).toEqual(new Date(2026, 11, 7));
  expect(dayOf('2026-12-05', now)).toEqual(new Date(2026, 11, 5));
});

test('rejects today, past days and invalid dates', () => {
  for (const typed of ['', '2026-11-30', '2020-01-01', '2026-13-40', 'soon'])
    expect(dayOf(typed, now)).toBe(null);
});
