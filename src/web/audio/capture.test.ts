import { describe, expect, test } from 'vitest';
import { createCapture } from './capture.ts';
import type { CaptureMessage } from './capture.ts';
import { CAPTURE_BLOCK_FRAMES, RECORDING_SAMPLE_RATE } from './recording-format.ts';

test('posts full blocks of 4096 frames with their peak, and the rest on a flush', () => {
  const { capture, posted, samples } = createStartedCapture(48_000);
  feedTone(capture, 48_000);
  capture.command('flush');
  const blocks = posted.filter((message) => message.type === 'block');
  expect(blocks.slice(0, -1).every((block) => block.samples.length === CAPTURE_BLOCK_FRAMES)).toBe(true);
  expect(blocks[3]!.peak).toBeCloseTo(0.5, 2);
  expect(posted.at(-1)).toEqual({ type: 'end', because: 'flush', frames: RECORDING_SAMPLE_RATE });
  expect(samples()).toHaveLength(RECORDING_SAMPLE_RATE);
});

test('a capture ends by itself at exactly the length limit, even within a block', () => {
  const { capture, posted, samples } = createStartedCapture(44_100, 10_000);
  expect(feedTone(capture, 44_100)).toBe(false);
  capture.command('flush');
  expect(posted.filter((message) => message.type === 'end')).toEqual([
    { type: 'end', because: 'limit', frames: 10_000 },
  ]);
  expect(samples()).toHaveLength(10_000);
});

test('a flush does not record beyond the length limit', () => {
  const { capture, posted } = createStartedCapture(48_000, 6_390);
  feedTone(capture, 9_600);
  expect(posted.some((message) => message.type === 'end')).toBe(false);
  capture.command('flush');
  expect(posted.at(-1)).toEqual({ type: 'end', because: 'limit', frames: 6_390 });
});

test('if paused from the start, frame 0 is the moment of the first resume', () => {
  const { capture, samples } = createStartedCapture(32_000, undefined, true);
  feedTone(capture, 96_000);
  capture.command('resume');
  feedTone(capture, 32_000);
  capture.command('flush');
  expect(samples()).toHaveLength(32_000);
});

test('records nothing if paused from the start and then flushed', () => {
  const { capture, posted } = createStartedCapture(48_000, undefined, true);
  feedTone(capture, 48_000);
  capture.command('flush');
  expect(posted).toEqual([{ type: 'end', because: 'flush', frames: 0 }]);
});

describe('pausing', () => {
  test('a pause adds no more than the fade of 10 ms to the recording', () => {
    const { capture, samples } = createStartedCapture(32_000);
    feedTone(capture, 32_000);
    capture.command('pause');
    feedTone(capture, 64_000);
    capture.command('resume');
    feedTone(capture, 32_000);
    capture.command('flush');
    expect(samples().length).toBeGreaterThanOrEqual(64_000);
    expect(samples().length).toBeLessThanOrEqual(64_000 + 320 + 128);
  });

  test('the recording does not click where it was paused or at its end', () => {
    const { capture, samples } = createStartedCapture(48_000);
    feedTone(capture, 24_000);
    capture.command('pause');
    feedTone(capture, 12_345);
    capture.command('resume');
    feedTone(capture, 24_000);
    capture.command('flush');
    // Allows the steps of a 440 Hz tone at half scale, which are at most 1,416 per frame. A click would be
    // larger.
    const steps = samples().map((sample, index, all) => Math.abs(sample - (all[index - 1] ?? 0)));
    expect(Math.abs(samples().at(-1)!)).toBe(0);
    expect(Math.max(...steps)).toBeLessThan(1_450);
  });
});

test('mixes channels down to their mean', () => {
  const { capture, samples } = createStartedCapture(32_000);
  const loud = new Float32Array(128).fill(0.5);
  for (let quantum = 0; quantum < 50; quantum += 1) capture.take([loud, new Float32Array(128)]);
  capture.command('flush');
  expect(samples()[3_200]).toBe(Math.round(0.25 * 32_768));
});

test('clips samples above full scale instead of wrapping them around', () => {
  const { capture, samples } = createStartedCapture(32_000);
  for (let quantum = 0; quantum < 50; quantum += 1) capture.take([new Float32Array(128).fill(1.5)]);
  capture.command('flush');
  expect(samples()[3_200]).toBe(32_767);
});

test('records time without channels as silence, but only after the first sound', () => {
  const { capture, posted, samples } = createStartedCapture(32_000);
  for (let quantum = 0; quantum < 100; quantum += 1) capture.take([]);
  feedTone(capture, 12_800);
  for (let quantum = 0; quantum < 100; quantum += 1) capture.take([]);
  capture.command('flush');
  expect(samples()).toHaveLength(25_600);
  expect(posted.at(-1)).toMatchObject({ frames: 25_600 });
});

test('skips the thump when the microphone is switched on', () => {
  const posted: CaptureMessage[] = [];
  const capture = createCapture(48_000, { maxFrames: 3_840_000 }, (message) => posted.push(message));
  for (let quantum = 0; quantum < 75; quantum += 1) {
    capture.process([new Float32Array(128).fill(quantum < 30 ? 1 : 0)]);
  }
  capture.command('flush');
  expect(posted).toMatchObject([
    { type: 'block', peak: 0 },
    { type: 'end', frames: 3_158 },
  ]);
});

test('a flush before any sound records nothing', () => {
  const { capture, posted } = createStartedCapture(48_000);
  capture.command('flush');
  expect(posted).toEqual([{ type: 'end', because: 'flush', frames: 0 }]);
});

/** Returns a capture past its warm-up, with everything it posts. */
function createStartedCapture(rate: number, maxFrames = 3_840_000, startsPaused = false) {
  const posted: CaptureMessage[] = [];
  const capture = createCapture(rate, { maxFrames, startsPaused }, (message) => posted.push(message));
  const samples = () =>
    posted.flatMap((message) => (message.type === 'block' ? Array.from(message.samples) : []));
  for (let warm = 0; warm < rate / 10; warm += 128) capture.process([new Float32Array(128).fill(1)]);
  let frame = 0;
  return {
    capture: {
      ...capture,
      take(channels: readonly Float32Array[]) {
        frame += channels[0]?.length ?? 128;
        return capture.process(channels);
      },
      tone: (length: number) =>
        Float32Array.from(
          { length },
          (_, index) => 0.5 * Math.sin((2 * Math.PI * 440 * (frame + index)) / rate),
        ),
    },
    posted,
    samples,
  };
}

/** Feeds this many frames of a tone, at the input's rate. Returns whether the capture needs more. */
function feedTone(capture: ReturnType<typeof createStartedCapture>['capture'], frames: number): boolean {
  let wanted = true;
  for (let done = 0; done < frames; done += 128) {
    wanted = capture.take([capture.tone(Math.min(128, frames - done))]);
  }
  return wanted;
}
