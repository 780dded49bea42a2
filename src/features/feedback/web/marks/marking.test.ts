import { expect, test } from 'vitest';
import { edited, keyOf, markAt } from './marking.ts';

const nothing = { marks: [], openKey: null };

test('one press drops a mark, a second one ends the stretch', () => {
  const once = markAt(42.04, nothing, 60);
  expect(once.marks).toEqual([{ start: 42, end: null, text: '' }]);
  expect(once.openKey).toBe(keyOf(once.marks[0]!));
  const twice = markAt(50.3, once, 60);
  expect([twice.marks, twice.openKey]).toEqual([[{ start: 42, end: 50.3, text: '' }], null]);
  expect(markAt(55, twice, 60).marks).toHaveLength(2);
});

test('words typed meanwhile stay with the mark that is ended', () => {
  const { marks, openKey } = markAt(10, nothing, 60);
  const typed = [edited(marks[0]!, { text: 'Softer' })];
  expect(markAt(12, { marks: typed, openKey }, 60).marks).toEqual([{ start: 10, end: 12, text: 'Softer' }]);
});

test('a key pressed twice by mistake does not end the stretch at once', () => {
  const once = markAt(10, nothing, 60);
  expect(markAt(10.1, once, 60)).toEqual(once);
});

test('who went back drops a further mark, in the order of the recording', () => {
  const once = markAt(42, nothing, 60);
  expect(markAt(7, once, 60).marks.map(({ start }) => start)).toEqual([7, 42]);
});

test('a mark lies within the recording, and there are not more than the server takes', () => {
  expect(markAt(60.7, nothing, 60).marks[0]!.start).toBe(60);
  const full = Array.from({ length: 200 }, (_, start) => ({ start, end: null, text: '' }));
  expect(markAt(5, { marks: full, openKey: null }, 300).marks).toHaveLength(200);
});
