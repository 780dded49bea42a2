import { expect, test } from 'vitest';
import { WAVEFORM_BAR_COUNT } from '#shared/media.ts';
import { decodePeaks, amplifyBars, encodePeaks, createPlaceholderBars } from './bars.ts';

test('decoding an encoded waveform returns its bars', () => {
  const measured = Uint8Array.from({ length: WAVEFORM_BAR_COUNT }, (_, index) => index);
  expect(decodePeaks(encodePeaks(measured))).toEqual(measured);
});

test('returns null for anything but a waveform of 200 bars', () => {
  for (const peaks of [
    null,
    '',
    'not base64 ☸',
    encodePeaks(new Uint8Array(199)),
    encodePeaks(new Uint8Array(201)),
  ])
    expect(decodePeaks(peaks)).toBeNull();
});

test('scales quiet bars to the full height, unless they are nearly silent', () => {
  expect(amplifyBars(Uint8Array.of(20, 40))).toEqual(Uint8Array.of(127, 255));
  expect(Math.max(...amplifyBars(Uint8Array.of(0, 1)))).toBeLessThan(20);
});

test('a melody’s placeholder waveform looks random but is always the same', () => {
  const bars = createPlaceholderBars(7);
  expect(bars).toHaveLength(WAVEFORM_BAR_COUNT);
  expect(createPlaceholderBars(7)).toEqual(bars);
  expect(createPlaceholderBars('7')).toEqual(bars);
  for (const other of [8, 17, 70, 'f3c1']) expect(createPlaceholderBars(other)).not.toEqual(bars);
  // Expects that most bars differ from the next one, and that no bar is empty or full.
  const steps = [...bars].filter((bar, index) => bar !== bars[index + 1]).length;
  expect(steps).toBeGreaterThan(WAVEFORM_BAR_COUNT * 0.8);
  expect(Math.min(...bars)).toBeGreaterThan(0);
  expect(Math.max(...bars)).toBeLessThan(255);
});
