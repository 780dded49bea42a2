import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeAudio } from './passage-fakes.ts';
import { playPassage } from './passage.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([1, 0.5])('playback stops at the end of a passage at speed %d', async (rate) => {
  const audio = Object.assign(new FakeAudio(), { playbackRate: rate });
  const onEnd = vi.fn();
  playPassage(audio, { start: 42, end: 46 }, { onEnd });
  await vi.advanceTimersByTimeAsync((3_900 / rate) | 0);
  expect([audio.paused, onEnd.mock.calls.length]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(300 / rate);
  expect([audio.paused, onEnd.mock.calls.length]).toEqual([true, 1]);
  expect(audio.currentTime).toBeCloseTo(46, 1);
});

test('seeks back to the passage’s end if a busy page stops playback late', async () => {
  const audio = new FakeAudio();
  const onEnd = vi.fn();
  playPassage(audio, { start: 1, end: 3 }, { onEnd });
  vi.setSystemTime(Date.now() + 1_000);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([audio.paused, audio.currentTime, onEnd.mock.calls.length]).toEqual([true, 3, 1]);
});

test('seeking elsewhere cancels the passage, and playback continues', async () => {
  const audio = new FakeAudio();
  const [onEnd, onLeft] = [vi.fn(), vi.fn()];
  playPassage(audio, { start: 1, end: 3 }, { onEnd, onLeft });
  await vi.advanceTimersByTimeAsync(500);
  audio.currentTime = 20;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([audio.paused, onEnd.mock.calls.length]).toEqual([false, 0]);
  expect(onLeft.mock.calls).toEqual([[undefined]]);
});

test('pausing cancels the passage', async () => {
  const audio = new FakeAudio();
  const onLeft = vi.fn();
  playPassage(audio, { start: 1, end: 3 }, { onLeft });
  await vi.advanceTimersByTimeAsync(500);
  audio.pause();
  expect(onLeft).toHaveBeenCalledTimes(1);
  await audio.play();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(audio.paused).toBe(false);
});

test('playback continues past the end of a cancelled passage', async () => {
  const audio = new FakeAudio();
  playPassage(audio, { start: 1, end: 3 })();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(audio.paused).toBe(false);
});

test('reports the browser’s error if playback is not allowed', async () => {
  const audio = new FakeAudio();
  const refusal = new DOMException('', 'NotAllowedError');
  audio.play = () => Promise.reject(refusal);
  const onLeft = vi.fn();
  playPassage(audio, { start: 1, end: 3 }, { onLeft });
  await vi.advanceTimersByTimeAsync(0);
  expect(onLeft.mock.calls).toEqual([[refusal]]);
});

test('repeats a seek that was lost because nothing was loaded', async () => {
  /** Ignores seeks before it plays, like some browsers. */
  class Unloaded extends FakeAudio {
    #isLoaded = false;
    override get currentTime() {
      return super.currentTime;
    }
    override set currentTime(seconds: number) {
      if (this.#isLoaded) super.currentTime = seconds;
    }
    override async play() {
      this.#isLoaded = true;
      await super.play();
    }
  }
  const audio = new Unloaded();
  const onEnd = vi.fn();
  playPassage(audio, { start: 42, end: 46 }, { onEnd });
  await vi.advanceTimersByTimeAsync(3_900);
  expect([audio.paused, audio.currentTime]).toEqual([false, 45.9]);
  await vi.advanceTimersByTimeAsync(200);
  expect([audio.paused, onEnd.mock.calls.length]).toEqual([true, 1]);
});
