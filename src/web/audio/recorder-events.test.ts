import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeRecorderBrowser } from './recorder-fakes.ts';
import { createRecorder } from './recorder.ts';

// Tests that no interruption by a phone loses what has been sung.

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const BLOCK_BYTES = 2 * 4_096;

async function recording() {
  const browser = createFakeRecorderBrowser();
  const blocks: number[] = [];
  const recorder = createRecorder({
    environment: browser.environment,
    onBlock: (_, index) => blocks.push(index),
  });
  recorder.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(recorder.get().state).toBe('recording');
  return { browser, recorder, blocks };
}

test('keeps what was sung before a phone call that never ends', async () => {
  const { browser, recorder, blocks } = await recording();
  browser.node.hear();
  browser.node.hear();
  browser.context.resume = () => new Promise<void>(() => undefined);
  browser.context.become('interrupted');
  expect(recorder.get()).toMatchObject({ state: 'recording', interrupted: true, taking: false });
  // The audio thread is suspended and delivers nothing more.
  browser.node.awake = false;
  recorder.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(recorder.get()).toMatchObject({ state: 'recorded', stoppedBecause: 'asked' });
  expect(recorder.get().take!.blob.size).toBe(44 + 2 * BLOCK_BYTES);
  expect(blocks).toEqual([0, 1]);
});

test('a recording continues in the same take after a phone call', async () => {
  const { browser, recorder, blocks } = await recording();
  browser.node.hear();
  browser.context.resume = () => Promise.resolve();
  browser.context.become('interrupted');
  browser.context.become('running');
  browser.node.hear();
  expect(recorder.get()).toMatchObject({ taking: true, missedWhileHeld: true });
  recorder.stop();
  expect(recorder.get().missedWhileHeld).toBe(true);
  expect(recorder.get().take!.blob.size).toBe(44 + 2 * BLOCK_BYTES);
  expect(blocks).toEqual([0, 1]);
});

test('onBlock receives the last, incomplete block when the microphone is lost', async () => {
  const { browser, recorder, blocks } = await recording();
  browser.node.hear();
  browser.node.rest = 100;
  browser.track.unplug();
  expect(recorder.get()).toMatchObject({ state: 'recorded', stoppedBecause: 'microphone-lost' });
  expect(blocks).toEqual([0, 1]);
});

test('a recording continues if the system releases the wake lock', async () => {
  const { browser, recorder } = await recording();
  for (const lock of browser.locks) lock.released = true;
  browser.node.hear();
  expect(recorder.get()).toMatchObject({ state: 'recording', taking: true, seconds: 0.128 });
});

test('reports missed sound only if the system interrupts while the user is singing', async () => {
  const { browser, recorder } = await recording();
  browser.context.resume = () => Promise.resolve();
  const hold = () => {
    browser.context.become('interrupted');
    browser.context.become('running');
    return recorder.get().missedWhileHeld;
  };
  expect(hold()).toBe(false);
  browser.node.hear();
  recorder.pause();
  expect(hold()).toBe(false);
  recorder.resume();
  browser.track.mute(true);
  expect(recorder.get().missedWhileHeld).toBe(true);
});
