import { expect, test } from 'vitest';
import { mapLineIndexes, computeUpdatedTimings } from './server/timings.ts';

const text = 'Refrain\nfirst\nRefrain\nsecond';
const timings = [
  { line: 0, start: 0 },
  { line: 1, start: 2.5 },
  { line: 2, start: 5 },
  { line: 3, start: 7.25 },
];
const before = { melodyText: text, timings };
const after = (melodyText: string | null, more: object = {}) =>
  computeUpdatedTimings(before, {
    melodyText,
    timings: undefined,
    hasAudio: true,
    isOtherAudio: false,
    ...more,
  });

test('timings stay the same if text and audio are unchanged', () => {
  expect(after(text)).toEqual(timings);
});

test('inserting a line shifts later timings, and the new line has no timing', () => {
  expect(after('Refrain\nnew\nfirst\nRefrain\nsecond')).toEqual([
    { line: 0, start: 0 },
    { line: 2, start: 2.5 },
    { line: 3, start: 5 },
    { line: 4, start: 7.25 },
  ]);
});

test('a removed refrain does not pass its timing to the next refrain', () => {
  expect(after('first\nRefrain\nsecond, corrected')).toEqual([
    { line: 0, start: 2.5 },
    { line: 1, start: 5 },
  ]);
});

test('a reworded line loses its timing, but a line with extra spaces keeps its timing', () => {
  expect(after('Refrain  \nFIRST\nRefrain\nsecond')?.map(({ line }) => line)).toEqual([0, 2, 3]);
});

test('replacing or removing the whole text or the audio removes all timings', () => {
  expect(after('nothing\nof it')).toBeNull();
  expect(after(null)).toBeNull();
  expect(after(text, { isOtherAudio: true })).toBeNull();
  expect(after(text, { hasAudio: false })).toBeNull();
});

test('new timings replace the old timings, and an empty list removes all timings', () => {
  const sent = [
    { line: 1, start: 3 },
    { line: 0, start: 1 },
  ];
  expect(after('a\nb', { timings: sent, isOtherAudio: true })).toEqual([sent[1], sent[0]]);
  expect(after(text, { timings: [] })).toBeNull();
  expect(after(text, { timings: null })).toBeNull();
});

test('rejects a timing for a missing line, and two timings for the same line', () => {
  expect(() => after('a', { timings: [{ line: 1, start: 0 }] })).toThrow(/doesn’t match the words/);
  const twice = { timings: [timings[0], timings[0]] };
  expect(() => after(text, twice)).toThrow(/doesn’t match the words/);
});

test('in very long texts, only unchanged lines at the start and end keep their timings', () => {
  const book = (word: string) => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`).join('\n');
  const timed = {
    melodyText: `Same\n${book('old')}\nEnd`,
    timings: [
      { line: 0, start: 1 },
      { line: 20_001, start: 9 },
    ],
  };
  const change = { timings: undefined, hasAudio: true, isOtherAudio: false };
  expect(computeUpdatedTimings(timed, { ...change, melodyText: `Same\n${book('new')}\nmore\nEnd` })).toEqual([
    { line: 0, start: 1 },
    { line: 20_002, start: 9 },
  ]);
});

test('maps lines to their new indexes after an edit, even if lines are removed', () => {
  expect(mapLineIndexes(text, 'title\n' + text)).toEqual([1, 2, 3, 4]);
  expect(mapLineIndexes(text, 'Refrain\nFirst\nRefrain\nsecond, corrected')).toEqual([0, 1, 2, 3]);
  expect(mapLineIndexes(text, 'Refrain\nfirst\nsecond')).toEqual([0, 1, null, 2]);
  expect(mapLineIndexes(text, 'Refrain\nnew\nFirst\nRefrain\nsecond')).toEqual([0, null, 3, 4]);
  expect(mapLineIndexes(text, null)).toEqual([null, null, null, null]);
  expect(mapLineIndexes(null, text)).toEqual([]);
});
