import { expect, test } from 'vitest';
import { sungLinesOf } from './parse.ts';
import { fc } from '#testing/properties.ts';
import { anyText } from './any-text.fixture.ts';
import { linesOf, passagesOf, placeAt, stretchOf, timingsOf } from './timings.ts';

const TEXT = 'bo: ཀ།\nKa\nen: One\n\nbo: ཁ།\nKha\n\nGa';
const lines = sungLinesOf(TEXT);

test('a timing may name any typed line of a sung line; the first is stored', () => {
  const passages = passagesOf(lines, [
    { line: 5, start: 4 },
    { line: 0, start: 1.5 },
    { line: 7, start: 9 },
  ]);
  expect(passages).toEqual([
    { index: 0, start: 1.5 },
    { index: 1, start: 4 },
    { index: 2, start: 9 },
  ]);
  expect(timingsOf(lines, passages)).toEqual([
    { line: 0, start: 1.5 },
    { line: 4, start: 4 },
    { line: 7, start: 9 },
  ]);
});

test('ignores timings of blank or deleted lines, and of an empty text', () => {
  expect(
    passagesOf(lines, [
      { line: 3, start: 1 },
      { line: 99, start: 2 },
      { line: 0, start: NaN },
    ]),
  ).toEqual([]);
  expect(passagesOf(lines, null)).toEqual([]);
  expect(passagesOf([], [{ line: 0, start: 0 }])).toEqual([]);
});

test('a line that is timed twice keeps the earlier time', () => {
  expect(
    passagesOf(lines, [
      { line: 4, start: 4 },
      { line: 5, start: 3 },
    ]),
  ).toEqual([{ index: 1, start: 3 }]);
});

test('finds the last passage that has begun', () => {
  const passages = [1, 2, 3].map((start, index) => ({ index, start }));
  expect([0, 0.99, 1, 1.5, 2, 3, 100].map((at) => placeAt(passages, at))).toEqual([-1, -1, 0, 0, 1, 2, 2]);
  expect(placeAt([], 5)).toBe(-1);
});

test('a stretch runs from one line to the end of the other, in either order', () => {
  const passages = [1, 2, 5].map((start, index) => ({ index, start }));
  expect(stretchOf(passages, 0, 1, 9)).toEqual({ a: 1, b: 5 });
  expect(stretchOf(passages, 1, 0, 9)).toEqual({ a: 1, b: 5 });
  expect(stretchOf(passages, 1, 1, 9)).toEqual({ a: 2, b: 5 });
  expect(stretchOf(passages, 1, 2, 9)).toEqual({ a: 2, b: 9 });
  expect(stretchOf(passages, 2, 2, 5)).toBeNull();
  expect(stretchOf(passages, 0, 7, 9)).toBeNull();
});

test('timings survive a round trip, for any text', () => {
  const comesBack = fc.property(anyText, fc.double({ min: 0.01, max: 60, noNaN: true }), (text, pace) => {
    const sung = sungLinesOf(text);
    const passages = sung.map(({ index }) => ({ index, start: index * pace }));
    expect(passagesOf(sung, timingsOf(sung, passages))).toEqual(passages);
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
    expect(linesOf(sung, stretchOf(sung, one, other, 12.4)!, 12.4)).toEqual({ from: one, to: other });
});

test('a loop with a moved point has no lines', () => {
  expect(linesOf(sung, { a: 1.6, b: 4 }, 12.4)).toBeNull();
  expect(linesOf(sung, { a: 1.5, b: 3.9 }, 12.4)).toBeNull();
  expect(linesOf(sung, { a: 1.5, b: 9.1 }, 12.4)).toBeNull();
  expect(linesOf(sung, { a: 9, b: 12.3 }, 12.4)).toBeNull();
  expect(linesOf([], { a: 0, b: 1 }, 12.4)).toBeNull();
});
