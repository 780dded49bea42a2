import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { playPassage } from './passage.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Keeps time by the fake clock, at its rate. */
class FakeAudio extends EventTarget {
  paused = true;
  playbackRate = 1;
  #from = 0;
  #since = 0;
  get currentTime() {
    return this.#from + (this.paused ? 0 : ((Date.now() - this.#since) / 1000) * this.playbackRate);
  }
  set currentTime(seconds: number) {
    this.#from = seconds;
    this.#since = Date.now();
    this.dispatchEvent(new Event('seeking'));
    this.dispatchEvent(new Event('seeked'));
  }
  async play() {
    this.#since = Date.now();
    this.paused = false;
    this.dispatchEvent(new Event('playing'));
  }
  pause() {
    this.#from = this.currentTime;
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }
}

test.each([1, 0.5])('a passage stops at its end, at speed %d too', async (rate) => {
  const audio = Object.assign(new FakeAudio(), { playbackRate: rate });
  const onEnd = vi.fn();
  playPassage(audio, { start: 42, end: 46 }, onEnd);
  await vi.advanceTimersByTimeAsync((3_900 / rate) | 0);
  expect([audio.paused, onEnd.mock.calls.length]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(300 / rate);
  expect([audio.paused, onEnd.mock.calls.length]).toEqual([true, 1]);
  expect(audio.currentTime).toBeCloseTo(46, 1);
});

test('who moves elsewhere meanwhile is not stopped', async () => {
  const audio = new FakeAudio();
  const onEnd = vi.fn();
  playPassage(audio, { start: 1, end: 3 }, onEnd);
  await vi.advanceTimersByTimeAsync(500);
  audio.currentTime = 20;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([audio.paused, onEnd.mock.calls.length]).toEqual([false, 0]);
});

test('a passage that is paused is over', async () => {
  const audio = new FakeAudio();
  playPassage(audio, { start: 1, end: 3 });
  await vi.advanceTimersByTimeAsync(500);
  audio.pause();
  await audio.play();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(audio.paused).toBe(false);
});

test('one that is given up plays on', async () => {
  const audio = new FakeAudio();
  playPassage(audio, { start: 1, end: 3 })();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(audio.paused).toBe(false);
});
