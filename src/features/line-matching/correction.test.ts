import { expect, test } from 'vitest';
import { moveLineStart, getLineStartRange, mergeCorrections } from './correction.ts';

const line = (number: number, start: number, end: number, sure = 0.9) => ({ line: number, start, end, sure });
const sung = [line(0, 1, 5), line(1, 5.1, 9), line(3, 11, 15, 0.2)];
const spans = (lines: readonly { line: number; start: number; end: number }[]) =>
  lines.map(({ line: number, start, end }) => [number, start, end]);

test('a line must start between its neighbours and within the recording', () => {
  expect(getLineStartRange(sung, 0, 20)).toEqual({ from: 0, to: 5 });
  expect(getLineStartRange(sung, 1, 20)).toEqual({ from: 1.1, to: 10.9 });
  expect(getLineStartRange(sung, 2, 20)).toEqual({ from: 5.1 + 0.1, to: 19.9 });
});

test('correcting a line makes it certain and ends the previous line at the new start', () => {
  const earlier = moveLineStart(sung, 1, 4, 20);
  expect(spans(earlier)).toEqual([
    [0, 1, 4],
    [1, 4, 9],
    [3, 11, 15],
  ]);
  expect(earlier[1]).toMatchObject({ sure: 1, isCorrected: true });
  expect(spans(moveLineStart(sung, 1, 6, 20))[0]).toEqual([0, 1, 6]);
  expect(moveLineStart(sung, 2, 10, 20)[2]).toMatchObject({ start: 10, end: 15, sure: 1 });
  // If there is a pause before the line, the previous line keeps its end.
  expect(spans(moveLineStart(sung, 2, 12, 20))[1]).toEqual([1, 5.1, 9]);
});

test('a line moved past its old end extends to the next line or the recording’s end', () => {
  expect(spans(moveLineStart(sung, 1, 9.5, 20))[1]).toEqual([1, 9.5, 11]);
  expect(spans(moveLineStart(sung, 2, 16, 20))[2]).toEqual([3, 16, 20]);
});

const buildCorrectedLine = (number: number, start: number, end: number) => ({
  ...line(number, start, end, 1),
  isCorrected: true as const,
});

test('a new search keeps a corrected start but updates the end', () => {
  const again = mergeCorrections(
    [line(0, 1, 5), line(1, 5.5, 9.5), line(3, 11, 15)],
    [buildCorrectedLine(1, 4, 9)],
  );
  expect(spans(again)).toEqual([
    [0, 1, 4],
    [1, 4, 9.5],
    [3, 11, 15],
  ]);
  expect(again[1]!.sure).toBe(1);
});

test('keeps a correction if no line, or a different line, is found in its place', () => {
  expect(mergeCorrections([], [buildCorrectedLine(1, 4, 9)])).toEqual([buildCorrectedLine(1, 4, 9)]);
  expect(spans(mergeCorrections([line(0, 1, 4.5), line(2, 8, 12)], [buildCorrectedLine(1, 4, 9)]))).toEqual([
    [0, 1, 4],
    [1, 4, 8],
    [2, 8, 12],
  ]);
  // The other line is dropped, because most of it would be cut off.
  expect(spans(mergeCorrections([line(2, 3.5, 8)], [buildCorrectedLine(1, 4, 9)]))).toEqual([[1, 4, 9]]);
});

test('applies a correction only to the corrected occurrence of a repeated line', () => {
  const again = mergeCorrections(
    [line(0, 1, 5), line(1, 5, 9), line(0, 10, 14), line(1, 14, 18)],
    [buildCorrectedLine(1, 4.8, 9), buildCorrectedLine(0, 9.5, 14)],
  );
  expect(spans(again)).toEqual([
    [0, 1, 4.8],
    [1, 4.8, 9],
    [0, 9.5, 14],
    [1, 14, 18],
  ]);
});
