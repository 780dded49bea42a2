import { expect, test } from 'vitest';
import { editMark, getMarkKey, toggleMarkAt } from './marking.ts';

const nothing = { marks: [], openKey: null };

test('the first press sets a mark, and the second press ends its passage', () => {
  const once = toggleMarkAt(42.04, nothing, 60);
  expect(once.marks).toEqual([{ start: 42, end: null, text: '' }]);
  expect(once.openKey).toBe(getMarkKey(once.marks[0]!));
  const twice = toggleMarkAt(50.3, once, 60);
  expect([twice.marks, twice.openKey]).toEqual([[{ start: 42, end: 50.3, text: '' }], null]);
  expect(toggleMarkAt(55, twice, 60).marks).toHaveLength(2);
});

test('the press that ends a mark keeps the words typed since the first press', () => {
  const { marks, openKey } = toggleMarkAt(10, nothing, 60);
  const typed = [editMark(marks[0]!, { text: 'Softer' })];
  expect(toggleMarkAt(12, { marks: typed, openKey }, 60).marks).toEqual([
    { start: 10, end: 12, text: 'Softer' },
  ]);
});

test('a second press right after the first does not end the mark', () => {
  const once = toggleMarkAt(10, nothing, 60);
  expect(toggleMarkAt(10.1, once, 60)).toEqual(once);
});

test('a press after seeking back sets another mark in time order', () => {
  const once = toggleMarkAt(42, nothing, 60);
  expect(toggleMarkAt(7, once, 60).marks.map(({ start }) => start)).toEqual([7, 42]);
});

test('marks stay within the recording and do not exceed the maximum number', () => {
  expect(toggleMarkAt(60.7, nothing, 60).marks[0]!.start).toBe(60);
  const full = Array.from({ length: 200 }, (_, start) => ({ start, end: null, text: '' }));
  expect(toggleMarkAt(5, { marks: full, openKey: null }, 300).marks).toHaveLength(200);
});
