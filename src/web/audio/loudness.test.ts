import { expect, test } from 'vitest';
import { createLoudnessMeter } from './loudness.ts';
import { CAPTURE_BLOCK_FRAMES } from './recording-format.ts';

/**
 * Meters five seconds of a sine of this amplitude, where 1 is full scale. Above 1, the peaks are clipped, as
 * a microphone clips them.
 */
function meterSine(height: number) {
  const loudness = createLoudnessMeter();
  for (let block = 0; block < 40; block += 1) loudness.add(sine(height));
  return loudness;
}
const sine = (height: number) =>
  Int16Array.from({ length: CAPTURE_BLOCK_FRAMES }, (_, index) =>
    Math.max(-32_768, Math.min(32_767, Math.round(Math.sin(index / 20) * height * 32_768))),
  );

test.each([
  [0, 'silent'],
  [0.001, 'silent'],
  [0.01, 'quiet'],
  [0.05, 'good'],
  [0.5, 'good'],
  [0.98, 'good'],
  [1.2, 'clipped'],
  [4, 'clipped'],
] as const)('judges a voice at %d of full scale as %s', (height, expected) => {
  expect(meterSine(height).judge()).toBe(expected);
});

test('one knock on the microphone does not count as clipping or mask a quiet voice', () => {
  const knock = new Int16Array(CAPTURE_BLOCK_FRAMES);
  knock.fill(32_767, 0, 12);
  const quiet = meterSine(0.01);
  quiet.add(knock);
  expect(quiet.judge()).toBe('quiet');
  const good = meterSine(0.3);
  good.add(knock);
  expect(good.judge()).toBe('good');
});

test('repeated crackles count as clipping, even if their total duration is short', () => {
  const loudness = meterSine(0.3);
  for (let burst = 0; burst < 10; burst += 1) {
    const block = sine(0.3);
    block.fill(32_767, 100, 105);
    loudness.add(block);
  }
  expect(loudness.judge()).toBe('clipped');
});

test('a recording without samples counts as silent', () => {
  expect(createLoudnessMeter().judge()).toBe('silent');
});
