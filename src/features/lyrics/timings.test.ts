import { expect, test } from 'vitest';
import { parseSungLines } from './parse.ts';
import { fc } from '#testing/properties.ts';
import { anyText } from './any-text.fixture.ts';
import {
  findLoopedLines,
  toLineStarts,
  findPassageIndexAt,
  findLoopOverLines,
  toLineTimings,
} from './timings.ts';

const TEXT = 'bo: ཀ།\nKa\nen: One\n\nbo: ཁ།\nKha\n\nGa';
const lines = parseSungLines(TEXT);

test('reads a timing at any layer of a sung line, but stores it at the first layer', () => {
  const passages = toLineStarts(lines, [
    { line: 5, start: 4 },
    { line: 0, start: 1.5 },
    { line: 7, start: 9 },
  ]);
  expect(passages).toEqual([
    { index: 0, start: 1.5 },
    { index: 1, start: 4 },
    { index: 2, start: 9 },
  ]);
  expect(toLineTimings(lines, passages)).toEqual([
    { line: 0, start: 1.5 },
    { line: 4, start: 4 },
    { line: 7, start: 9 },
  ]);
});

test('ignores timings of blank lines, deleted lines and empty texts', () => {
  expect(
    toLineStarts(lines, [
      { line: 3, start: 1 },
      { line: 99, start: 2 },
      { line: 0, start: NaN },
    ]),
  ).toEqual([]);
  expect(toLineStarts(lines, null)).toEqual([]);
  expect(toLineStarts([], [{ line: 0, start: 0 }])).toEqual([]);
});

test('uses the earlier time if a line is timed twice', () => {
  expect(
    toLineStarts(lines, [
      { line: 4, start: 4 },
      { line: 5, start: 3 },
    ]),
  ).toEqual([{ index: 1, start: 3 }]);
});

test('finds the last passage that starts at or before a time', () => {
  const passages = [1, 2, 3].map((start, index) => ({ index, start }));
  expect([0, 0.99, 1, 1.5, 2, 3, 100].map((at) => findPassageIndexAt(passages, at))).toEqual([
    -1, -1, 0, 0, 1, 2, 2,
  ]);
  expect(findPassageIndexAt([], 5)).toBe(-1);
});

test('a loop over two lines includes both, whichever was chosen first', () => {
  const passages = [1, 2, 5].map((start, index) => ({ index, start }));
  expect(findLoopOverLines(passages, 0, 1, 9)).toEqual({ a: 1, b: 5 });
  expect(findLoopOverLines(passages, 1, 0, 9)).toEqual({ a: 1, b: 5 });
  expect(findLoopOverLines(passages, 1, 1, 9)).toEqual({ a: 2, b: 5 });
  expect(findLoopOverLines(passages, 1, 2, 9)).toEqual({ a: 2, b: 9 });
  expect(findLoopOverLines(passages, 2, 2, 5)).toBeNull();
  expect(findLoopOverLines(passages, 0, 7, 9)).toBeNull();
});

test('for any text, converting passages to timings and back returns the same passages', () => {
  const comesBack = fc.property(anyText, fc.double({ min: 0.01, max: 60, noNaN: true }), (text, pace) => {
    const sung = parseSungLines(text);
    const passages = sung.map(({ index }) => ({ index, start: index * pace }));
    expect(toLineStarts(sung, toLineTimings(sung, passages))).toEqual(passages);
  });
  fc.assert(comesBack);
});

const sung = [1.5, 4, 9].map((start, index) => ({ index, start }));

test('recognizes the lines of a loop from its two points', () => {
  for (const [one, other] of [
    [0, 0],
    [0, 1],
    [1, 2],
    [2, 2],
  ] as const)
    expect(findLoopedLines(sung, findLoopOverLines(sung, one, other, 12.4)!, 12.4)).toEqual({
      from: one,
      to: other,
    });
});

test('returns null for a loop whose points are not at line boundaries', () => {
  expect(findLoopedLines(sung, { a: 1.6, b: 4 }, 12.4)).toBeNull();
  expect(findLoopedLines(sung, { a: 1.5, b: 3.9 }, 12.4)).toBeNull();
  expect(findLoopedLines(sung, { a: 1.5, b: 9.1 }, 12.4)).toBeNull();
  expect(findLoopedLines(sung, { a: 9, b: 12.3 }, 12.4)).toBeNull();
  expect(findLoopedLines([], { a: 0, b: 1 }, 12.4)).toBeNull();
});
