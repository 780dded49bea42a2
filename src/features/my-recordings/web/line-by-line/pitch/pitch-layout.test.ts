import { expect, test } from 'vitest';
import { toPathData, getContourPoints, layOutSyllables } from './pitch-layout.ts';

const cents = (...values: number[]) => Float32Array.from(values);

test('draws both contours on the same scale and over the full width', () => {
  const { hers, mine } = getContourPoints(cents(0, 1000), cents(1000, 0));
  expect(hers).toEqual([[expect.objectContaining({ x: 0 }), expect.objectContaining({ x: 1 })]]);
  expect(hers[0]![0]!.y).toBeCloseTo(0.9);
  expect(hers[0]![1]!.y).toBeCloseTo(0.1);
  expect(mine[0]![0]!.y).toBeCloseTo(0.1);
});

test('draws a level tone as a level line in the middle', () => {
  const { hers } = getContourPoints(cents(300, 310, 300), cents(305, 300, 300));
  for (const { y } of hers[0]!) expect(y).toBeCloseTo(0.5, 1);
});

test('continues a contour across a short gap and breaks the contour at a pause', () => {
  const { hers } = getContourPoints(cents(1, NaN, 1, NaN, NaN, NaN, NaN, NaN, NaN, 1), cents(NaN));
  expect(hers.map((points) => points.length)).toEqual([2, 1]);
  expect(toPathData(hers, 100, 50)).toBe('M0.0 25.0L22.2 25.0M100.0 25.0h0.1');
  expect(getContourPoints(cents(), cents(NaN))).toEqual({ hers: [], mine: [] });
});

test('places words below their syllables, in two rows if needed, without overlap', () => {
  const even = (texts: string[]) =>
    texts.map((text, at) => ({ text, from: at / texts.length, to: (at + 1) / texts.length }));
  expect(layOutSyllables(even(['om', 'ah', 'hung']))).toEqual([
    expect.objectContaining({ text: 'om', row: 0 }),
    expect.objectContaining({ text: 'ah', x: 0.5, row: 0 }),
    expect.objectContaining({ text: 'hung', row: 0 }),
  ]);
  const many = layOutSyllables(even(Array.from({ length: 14 }, () => 'tsam')));
  expect(many.map(({ row }) => row)).toEqual(Array.from({ length: 14 }, (_, at) => at % 2));
  const close = layOutSyllables([
    { text: 'khandro', from: 0, to: 0.02 },
    { text: 'pe', from: 0.02, to: 0.04 },
    { text: 'mangpo', from: 0.04, to: 0.06 },
  ]);
  expect(close[2]!.x - close[0]!.x).toBeGreaterThan(0.2);
});
