import { expect, test } from 'vitest';
import { getStartOfDayAfter, parseFutureDay } from './snooze.ts';

const now = new Date(2026, 10, 30, 22, 15);

test('a snooze ends at local midnight of the chosen day', () => {
  expect(getStartOfDayAfter(now, 1)).toEqual(new Date(2026, 11, 1));
  expect(getStartOfDayAfter(now, 7)).toEqual(new Date(2026, 11, 7));
  expect(parseFutureDay('2026-12-05', now)).toEqual(new Date(2026, 11, 5));
});

test('rejects today, past days and invalid dates as the end of a snooze', () => {
  for (const typed of ['', '2026-11-30', '2020-01-01', '2026-13-40', 'soon'])
    expect(parseFutureDay(typed, now)).toBe(null);
});
