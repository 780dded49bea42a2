import { expect, test } from 'vitest';
import { computePeaks } from './peaks.ts';

test('each bar is the loudest frame of its slice, positive or negative', () => {
  const samples = new Int16Array(2_000);
  samples[15] = 16_384; // in the second slice of ten frames
  samples[1_999] = -32_768;
  const peaks = computePeaks([samples.subarray(0, 700), samples.subarray(700)]);
  expect(peaks).toHaveLength(200);
  expect(peaks[1]).toBe(128);
  expect(peaks[199]).toBe(255);
  expect(peaks.filter((peak) => peak > 0)).toHaveLength(2);
});

test('returns 200 bars even if there are fewer frames or none', () => {
  expect(computePeaks([Int16Array.of(32_767, 32_767)]).filter((peak) => peak === 255)).toHaveLength(2);
  expect(computePeaks([])).toEqual(new Uint8Array(200));
});
