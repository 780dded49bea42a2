import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeRecorderBrowser } from './recorder-fakes.ts';
import { createRecorder } from './recorder.ts';
import type { RecorderOptions } from './recorder.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a recording', () => {
  test('a recorder goes through the states idle, asking, recording and recorded', async () => {
    const { recorder, browser } = setUp();
    expect(recorder.get()).toMatchObject({ state: 'idle', seconds: 0, secondsLeft: 120, take: null });

    recorder.start();
    expect(recorder.get().state).toBe('asking');
    await flushPromises();
    expect(recorder.get()).toMatchObject({ state: 'recording', taking: true });

    browser.node.hear();
    expect(recorder.get().seconds).toBe(0.128);
    expect(recorder.get().secondsLeft).toBeCloseTo(119.872);
    expect(recorder.get().level).toBeCloseTo(0.88, 2);

    browser.node.rest = 1_000;
    recorder.stop();
    const { state, stoppedBecause, take, seconds, level } = recorder.get();
    expect({ state, stoppedBecause, level }).toEqual({
      state: 'recorded',
      stoppedBecause: 'asked',
      level: 0,
    });
    expect(seconds).toBe(5_096 / 32_000);
    expect(take!.seconds).toBe(seconds);
    expect(take!.blob.size).toBe(44 + 2 * 5_096);
    expect(take!.blob.type).toBe('audio/wav');
    expect(take!.peaks).toEqual(new Uint8Array(200).fill(128));
    expectReleased(browser);
  });

  test('disables the browser’s speech processing unless requested', async () => {
    const plain = setUp();
    plain.recorder.start();
    await flushPromises();
    expect(plain.browser.asked[0]!.audio).toMatchObject({
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
    });

    const processed = setUp();
    processed.recorder.start({ processing: true });
    await flushPromises();
    expect(processed.browser.asked[0]!.audio).toMatchObject({
      echoCancellation: true,
      autoGainControl: true,
    });
  });

  test('the recorder warns in the last ten seconds and stops by itself at two minutes', async () => {
    const { recorder, browser } = await recording();
    const warned: number[] = [];
    recorder.subscribe(() => {
      if (recorder.get().nearEnd) warned.push(recorder.get().secondsLeft);
    });
    browser.node.hearToTheEnd();
    const { state, stoppedBecause, take, secondsLeft, nearEnd } = recorder.get();
    expect({ state, stoppedBecause, secondsLeft, nearEnd }).toEqual({
      state: 'recorded',
      stoppedBecause: 'limit',
      secondsLeft: 0,
      nearEnd: false,
    });
    expect(take!.seconds).toBe(120);
    expect(take!.blob.size).toBe(7_680_044);
    expect(warned[0]).toBeLessThanOrEqual(10);
    expect(warned[0]).toBeGreaterThan(9.8);
    expectReleased(browser);
  });

  test('passes each arriving block to onBlock with its number', async () => {
    const indexes: number[] = [];
    const { recorder, browser } = await recording({ onBlock: (_, index) => indexes.push(index) });
    browser.node.hear();
    browser.node.hear();
    browser.node.rest = 7;
    recorder.stop();
    expect(indexes).toEqual([0, 1, 2]);
  });

  test('pausing and resuming do not change the recorded duration', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    recorder.pause();
    expect(recorder.get()).toMatchObject({
      state: 'paused',
      level: 0,
      taking: false,
      seconds: 0.128,
    });
    recorder.pause();
    recorder.resume();
    recorder.resume();
    expect(recorder.get()).toMatchObject({ state: 'recording', taking: true });
    expect(browser.node.commands).toEqual(['pause', 'resume']);
    recorder.pause();
    recorder.stop();
    expect(recorder.get()).toMatchObject({ state: 'recorded', seconds: 0.128 });
  });

  test('does not create a take if the user stops before any sound arrives', async () => {
    const { recorder, browser } = await recording();
    recorder.stop();
    expect(recorder.get()).toMatchObject({ state: 'idle', take: null });
    expectReleased(browser);
  });

  test('a reset discards the take, and the next recording starts at 0', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    recorder.stop();
    recorder.reset();
    expect(recorder.get()).toMatchObject({
      state: 'idle',
      take: null,
      seconds: 0,
      stoppedBecause: null,
    });
    recorder.start();
    await flushPromises();
    expect(recorder.get()).toMatchObject({ state: 'recording', seconds: 0 });
    expect(browser.nodes).toHaveLength(2);
  });

  test('start() without a reset does not replace the take', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    recorder.stop();
    const before = recorder.get();
    recorder.start();
    await flushPromises();
    expect(recorder.get()).toBe(before);
  });

  test('ignores repeated calls to start() and stop()', async () => {
    const { recorder, browser } = setUp();
    recorder.start();
    recorder.start();
    await flushPromises();
    recorder.start();
    await flushPromises();
    expect(browser.asked).toHaveLength(1);
    browser.node.hear();
    browser.node.awake = false;
    recorder.stop();
    recorder.stop();
    expect(browser.node.commands).toEqual(['flush']);
  });

  test('keeps what has arrived if the audio thread does not respond to stop()', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    browser.node.awake = false;
    recorder.stop();
    expect(recorder.get().state).toBe('recording');
    vi.advanceTimersByTime(1_000);
    expect(recorder.get()).toMatchObject({ state: 'recorded', seconds: 0.128 });
    expectReleased(browser);
  });
});

describe('unavailable microphone', () => {
  for (const [name, problem] of [
    ['NotAllowedError', 'refused'],
    ['SecurityError', 'refused'],
    ['NotFoundError', 'no-microphone'],
    ['NotReadableError', 'in-use'],
    ['AbortError', 'in-use'],
    ['TypeError', 'unsupported'],
  ] as const) {
    test(`reports the microphone error ${name} as '${problem}'`, async () => {
      const { recorder, browser } = setUp();
      browser.answer = () => Promise.reject(new DOMException('', name));
      recorder.start();
      await flushPromises();
      expect(recorder.get()).toMatchObject({ state: 'failed', problem, take: null });
      expect(browser.contexts).toHaveLength(0);
    });
  }

  test('recording can be retried after microphone access was denied', async () => {
    const { recorder, browser } = setUp();
    const answer = browser.answer;
    browser.answer = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    recorder.start();
    await flushPromises();
    browser.answer = answer;
    recorder.start();
    await flushPromises();
    expect(recorder.get()).toMatchObject({ state: 'recording', problem: null });
  });

  test('reports an insecure page instead of requesting the microphone', async () => {
    for (const lack of [{ isSecureContext: false }, { mediaDevices: undefined }]) {
      const { environment } = createFakeRecorderBrowser();
      const recorder = createRecorder({ environment: { ...environment, ...lack } });
      recorder.start();
      await flushPromises();
      expect(recorder.get()).toMatchObject({ state: 'failed', problem: 'insecure' });
    }
  });

  test('reports a missing AudioWorkletNode without requesting the microphone', async () => {
    const { environment, asked } = createFakeRecorderBrowser();
    const recorder = createRecorder({ environment: { ...environment, AudioWorkletNode: undefined } });
    recorder.start();
    await flushPromises();
    expect(recorder.get()).toMatchObject({ state: 'failed', problem: 'unsupported' });
    expect(asked).toHaveLength(0);
  });

  test('releases the microphone if the worklet does not load', async () => {
    const { recorder, browser } = setUp();
    const { AudioContext } = browser.environment;
    browser.environment.AudioContext = class extends AudioContext! {
      constructor() {
        super();
        this.audioWorklet.addModule = () => Promise.reject(new DOMException('', 'AbortError'));
      }
    };
    recorder.start();
    await flushPromises();
    expect(recorder.get()).toMatchObject({ state: 'failed', problem: 'worklet' });
    expectReleased(browser);
  });
});

describe('lost microphone', () => {
  test('keeps what was recorded if the microphone is unplugged', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    browser.node.rest = 100;
    browser.track.unplug();
    expect(recorder.get()).toMatchObject({ state: 'recorded', stoppedBecause: 'microphone-lost' });
    expect(recorder.get().take!.blob.size).toBe(44 + 2 * 4_196);
    expectReleased(browser);
  });

  test('fails if the microphone is unplugged before any sound arrives', async () => {
    const { recorder, browser } = await recording();
    browser.track.unplug();
    expect(recorder.get()).toMatchObject({ state: 'failed', problem: 'no-microphone', take: null });
  });

  test('keeps what was recorded if the audio thread crashes', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    browser.node.say('processorerror');
    expect(recorder.get()).toMatchObject({ state: 'recorded', stoppedBecause: 'microphone-lost' });
    expectReleased(browser);
  });
});

describe('interruptions by the system', () => {
  test('a muted microphone is reported and pauses the capture until it is unmuted', async () => {
    const { recorder, browser } = await recording();
    browser.track.mute(true);
    expect(recorder.get()).toMatchObject({ state: 'recording', muted: true, taking: false });
    browser.track.mute(false);
    expect(recorder.get()).toMatchObject({ state: 'recording', muted: false, taking: true });
    expect(browser.node.commands).toEqual(['pause', 'resume']);
  });

  test('pauses the capture from the start if the microphone is already muted', async () => {
    const { recorder, browser } = setUp();
    browser.track.muted = true;
    recorder.start();
    await flushPromises();
    expect(recorder.get()).toMatchObject({ state: 'recording', muted: true, taking: false });
    expect(browser.node.commands).toEqual(['pause']);
  });

  test('unmuting the microphone does not end the user’s own pause', async () => {
    const { recorder, browser } = await recording();
    recorder.pause();
    browser.track.mute(true);
    browser.track.mute(false);
    expect(recorder.get().state).toBe('paused');
    expect(browser.node.commands).toEqual(['pause']);
  });

  test('tries to resume a suspended context when the page is shown and on resume()', async () => {
    const { recorder, browser } = await recording();
    const before = browser.context.resumed;
    browser.context.resume = () => Promise.resolve(void (browser.context.resumed += 1));
    browser.context.become('suspended');
    expect(recorder.get()).toMatchObject({ interrupted: true, taking: false });
    browser.document.dispatchEvent(new Event('visibilitychange'));
    recorder.resume();
    expect(browser.context.resumed - before).toBe(3);
    browser.context.become('running');
    expect(recorder.get()).toMatchObject({ interrupted: false, taking: true });
  });

  test('reports an interruption if the audio context does not start within 1.5 seconds', async () => {
    const { recorder, browser } = setUp();
    const { AudioContext } = browser.environment;
    browser.environment.AudioContext = class extends AudioContext! {
      override resume = () => new Promise<void>(() => undefined);
    };
    recorder.start();
    await flushPromises();
    expect(recorder.get().state).toBe('asking');
    await vi.advanceTimersByTimeAsync(1_500);
    expect(recorder.get()).toMatchObject({ state: 'recording', interrupted: true, taking: false });
  });
});

describe('count-in', () => {
  test('counts in 3, 2, 1 with the capture paused, then records from frame 0', async () => {
    const { recorder, browser } = setUp();
    recorder.start({ countIn: 3 });
    await flushPromises();
    expect(browser.node.startsPaused).toBe(true);
    const seen = [];
    for (let second = 0; second < 3; second += 1) {
      const { state, count, seconds, taking } = recorder.get();
      seen.push({ state, count, seconds, taking });
      expect(browser.node.commands).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(seen.map(({ state, count }) => `${state} ${count}`)).toEqual([
      'counting 3',
      'counting 2',
      'counting 1',
    ]);
    expect(seen.every(({ seconds, taking }) => seconds === 0 && !taking)).toBe(true);
    expect(recorder.get()).toMatchObject({ state: 'recording', count: null, taking: true });
    expect(browser.node.commands).toEqual(['resume']);
  });

  test('cancelling the count-in releases the microphone immediately', async () => {
    const { recorder, browser } = setUp();
    recorder.start({ countIn: 3 });
    await vi.advanceTimersByTimeAsync(1_000);
    browser.node.awake = false;
    recorder.stop();
    expect(recorder.get()).toMatchObject({ state: 'idle', count: null });
    expectReleased(browser);
  });

  test('fails if the microphone is unplugged during the count-in', async () => {
    const { recorder, browser } = setUp();
    recorder.start({ countIn: 3 });
    await vi.advanceTimersByTimeAsync(1_000);
    browser.track.unplug();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(recorder.get()).toMatchObject({ state: 'failed', problem: 'no-microphone' });
    expectReleased(browser);
  });
});

describe('missing sound', () => {
  test('reports a stall within two seconds, and its end when sound arrives again', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(recorder.get()).toMatchObject({ stalled: false, taking: true });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(recorder.get()).toMatchObject({ stalled: true, taking: false, seconds: 0.128, level: 0 });
    browser.node.hear();
    expect(recorder.get()).toMatchObject({ stalled: false, taking: true, seconds: 0.256 });
  });

  test('does not report a stall during or right after a pause', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    recorder.pause();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(recorder.get().stalled).toBe(false);
    recorder.resume();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(recorder.get()).toMatchObject({ stalled: false, taking: true });
  });

  test('missedInBackground is set when the page is visible again, and cleared by reset()', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    show(browser, 'hidden');
    await vi.advanceTimersByTimeAsync(8_000);
    show(browser, 'visible');
    browser.node.hear();
    expect(recorder.get().missedInBackground).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(recorder.get()).toMatchObject({ state: 'recording', missedInBackground: true });
    recorder.stop();
    expect(recorder.get()).toMatchObject({ state: 'recorded', missedInBackground: true });
    expectReleased(browser);
    recorder.reset();
    expect(recorder.get().missedInBackground).toBe(false);
  });

  test('does not report missed sound if a background page delivers all of it late', async () => {
    const { recorder, browser } = await recording();
    show(browser, 'hidden');
    await vi.advanceTimersByTimeAsync(8_000);
    show(browser, 'visible');
    for (let block = 0; block < 63; block += 1) browser.node.hear();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(recorder.get().missedInBackground).toBe(false);
  });

  test('reports missed sound even if the user stops right after returning to the page', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    show(browser, 'hidden');
    await vi.advanceTimersByTimeAsync(8_000);
    show(browser, 'visible');
    recorder.stop();
    expect(recorder.get()).toMatchObject({ state: 'recorded', missedInBackground: true });
  });

  test('does not report missed sound if recording was paused in the background', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    recorder.pause();
    show(browser, 'hidden');
    await vi.advanceTimersByTimeAsync(60_000);
    show(browser, 'visible');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(recorder.get().missedInBackground).toBe(false);
  });
});

describe('loudness', () => {
  test.each([
    [0, 'silent'],
    [200, 'quiet'],
    [16_384, 'good'],
    [32_767, 'clipped'],
  ] as const)('judges a take with a constant amplitude of %d as %s', async (height, loudness) => {
    const { recorder, browser } = await recording();
    browser.node.hear(undefined, height);
    recorder.stop();
    expect(recorder.get().take!.loudness).toBe(loudness);
  });
});

describe('resources', () => {
  test('releases a microphone that opens after destroy()', async () => {
    const { recorder, browser } = setUp();
    let grant: (stream: unknown) => void = () => undefined;
    browser.answer = () => new Promise((resolve) => (grant = resolve));
    recorder.start();
    recorder.destroy();
    grant(browser.stream());
    await flushPromises();
    expect(browser.track.stopped).toBe(1);
    expect(browser.contexts).toHaveLength(0);
    expect(recorder.get().state).toBe('idle');
  });

  test('destroy() while recording releases all resources for good', async () => {
    const { recorder, browser } = await recording();
    const told = vi.fn();
    recorder.subscribe(told);
    browser.node.hear();
    told.mockClear();
    recorder.destroy();
    expectReleased(browser);
    browser.node.hear();
    browser.track.unplug();
    recorder.stop();
    recorder.reset();
    recorder.start();
    await flushPromises();
    expect(told).not.toHaveBeenCalled();
    expect(browser.asked).toHaveLength(1);
  });

  test('destroy() while stopping releases all resources', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    browser.node.awake = false;
    recorder.stop();
    recorder.destroy();
    expectReleased(browser);
  });

  test('releases a microphone that opens after the user has stopped', async () => {
    const { recorder, browser } = setUp();
    recorder.start();
    recorder.stop();
    expect(recorder.get().state).toBe('idle');
    await flushPromises();
    expect(browser.track.stopped).toBe(1);
    expect(recorder.get().state).toBe('idle');
  });

  test('reset() while recording releases all resources', async () => {
    const { recorder, browser } = await recording();
    browser.node.hear();
    recorder.reset();
    expect(recorder.get()).toMatchObject({ state: 'idle', seconds: 0 });
    expectReleased(browser);
  });

  test('the wake lock is requested again when the page becomes visible', async () => {
    const { recorder, browser } = await recording();
    expect(browser.locks).toHaveLength(1);
    browser.document.visibilityState = 'hidden';
    browser.document.dispatchEvent(new Event('visibilitychange'));
    browser.document.visibilityState = 'visible';
    browser.document.dispatchEvent(new Event('visibilitychange'));
    await flushPromises();
    expect(browser.locks).toHaveLength(2);
    recorder.destroy();
    expect(browser.locks.every((lock) => lock.released)).toBe(true);
  });

  test('a recording starts even if the wake lock is missing or denied', async () => {
    for (const wakeLock of [undefined, { request: () => Promise.reject(new Error('low battery')) }]) {
      const browser = createFakeRecorderBrowser();
      const recorder = createRecorder({ environment: { ...browser.environment, wakeLock } });
      recorder.start();
      await flushPromises();
      expect(recorder.get().state).toBe('recording');
    }
  });
});

describe('snapshot', () => {
  test('the snapshot stays the same object while nothing changes', async () => {
    const { recorder, browser } = await recording();
    const before = recorder.get();
    browser.track.say('unmute');
    expect(recorder.get()).toBe(before);
    browser.node.hear();
    expect(recorder.get()).not.toBe(before);
    expect(before.seconds).toBe(0);
  });

  test('does not call a listener that has unsubscribed', async () => {
    const { recorder } = setUp();
    const told = vi.fn();
    const unsubscribe = recorder.subscribe(told);
    unsubscribe();
    recorder.start();
    await flushPromises();
    expect(told).not.toHaveBeenCalled();
  });
});

function setUp(options: RecorderOptions = {}) {
  const browser = createFakeRecorderBrowser();
  return { browser, recorder: createRecorder({ environment: browser.environment, ...options }) };
}

async function recording(options: RecorderOptions = {}) {
  const { browser, recorder } = setUp(options);
  recorder.start();
  await flushPromises();
  expect(recorder.get().state).toBe('recording');
  return { browser, recorder };
}

function show(
  { document }: ReturnType<typeof createFakeRecorderBrowser>,
  state: DocumentVisibilityState,
): void {
  document.visibilityState = state;
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Lets all pending promises settle, without advancing timers. */
async function flushPromises(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

function expectReleased(browser: ReturnType<typeof createFakeRecorderBrowser>): void {
  expect(browser.track.stopped).toBe(1);
  expect(browser.track.listeners).toBe(0);
  expect(browser.context.state).toBe('closed');
  expect(browser.context.listeners).toBe(0);
  expect(browser.nodes.every((node) => node.port.closed && node.listeners === 0)).toBe(true);
  expect(browser.locks.every((lock) => lock.released)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
}
