import { expect, test } from 'vitest';
import { sungLinesOf } from './parse.ts';
import { fc } from '#testing/properties.ts';
import { anyText } from './any-text.fixture.ts';
import { linesOf, passagesOf, placeAt, stretchOf, timingsOf } from './timings.ts';

const TEXT = 'bo: ཀ།\nKa\nen: One\n\nbo: ཁ།\nKha\n\nGa';
const lines = sungLinesOf(TEXT);

test('a timing names any typed line of its sung line, and is stored by the first', () => {
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

test('timings of blank lines, of lines that are gone and of no text do no harm', () => {
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

test('a line that is timed twice keeps the first', () => {
  expect(
    passagesOf(lines, [
      { line: 4, start: 4 },
      { line: 5, start: 3 },
    ]),
  ).toEqual([{ index: 1, start: 3 }]);
});

test('the passage of a moment is the last that has begun', () => {
  const passages = [1, 2, 3].map((start, index) => ({ index, start }));
  expect([0, 0.99, 1, 1.5, 2, 3, 100].map((at) => placeAt(passages, at))).toEqual([-1, -1, 0, 0, 1, 2, 2]);
  expect(placeAt([], 5)).toBe(-1);
});

test('a stretch goes from one line to the end of the other, in whichever order they are chosen', () => {
  const passages = [1, 2, 5].map((start, index) => ({ index, start }));
  expect(stretchOf(passages, 0, 1, 9)).toEqual({ a: 1, b: 5 });
  expect(stretchOf(passages, 1, 0, 9)).toEqual({ a: 1, b: 5 });
  expect(stretchOf(passages, 1, 1, 9)).toEqual({ a: 2, b: 5 });
  expect(stretchOf(passages, 1, 2, 9)).toEqual({ a: 2, b: 9 });
  expect(stretchOf(passages, 2, 2, 5)).toBeNull();
  expect(stretchOf(passages, 0, 7, 9)).toBeNull();
});

test('timings there and back are the same, for any text', () => {
  const comesBack = fc.property(anyText, fc.double({ min: 0.01, max: 60, noNaN: true }), (text, pace) => {
    const sung = sungLinesOf(text);
    const passages = sung.map(({ index }) => ({ index, start: index * pace }));
    expect(passagesOf(sung, timingsOf(sung, passages))).toEqual(passages);
  });
  fc.assert(comesBack);
});

const sung = [1.5, 4, 9].map((start, index) => ({ index, start }));

test('a loop is known by the lines that it was made of, wherever its points came from', () => {
  for (const [one, other] of [
    [0, 0],
    [0, 1],
    [1, 2],
    [2, 2],
  ] as const)
    expect(linesOf(sung, stretchOf(sung, one, other, 12.4)!, 12.4)).toEqual({ from: one, to: other });
});

test('a loop whose point was moved is no longer one of lines', () => {
  expect(linesOf(sung, { a: 1.6, b: 4 }, 12.4)).toBeNull();
  expect(linesOf(sung, { a: 1.5, b: 3.9 }, 12.4)).toBeNull();
  expect(linesOf(sung, { a: 1.5, b: 9.1 }, 12.4)).toBeNull();
  expect(linesOf(sung, { a: 9, b: 12.3 }, 12.4)).toBeNull();
  expect(linesOf([], { a: 0, b: 1 }, 12.4)).toBeNull();
});
