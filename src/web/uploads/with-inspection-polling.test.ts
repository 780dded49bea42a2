import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type callApi, CallError } from '../api/call.ts';
import {
  type InspectionProgress,
  mayInspectionTakeLong,
  withInspectionPolling,
} from './with-inspection-polling.ts';

const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
function setVisibility(state: 'visible' | 'hidden') {
  document.visibilityState = state;
  document.dispatchEvent(new Event('visibilitychange'));
}
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', document);
  setVisibility('visible');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Starts a call whose response arrives when `end` is called, and records the polling until then. */
function begin(answer: () => InspectionProgress) {
  const asked: number[] = [];
  const seen: InspectionProgress[] = [];
  const began = Date.now();
  const get = (route: string, { params }: { params: unknown }) => {
    expect([route, params]).toEqual(['GET /api/uploads/{clientId}/examination', { clientId: 'an-id' }]);
    asked.push((Date.now() - began) / 1_000);
    return new Promise((resolve) => resolve({ examination: answer() }));
  };
  let end!: (made: string) => void;
  const making = new Promise<string>((resolve) => (end = resolve));
  const made = withInspectionPolling('an-id', () => making, {
    onProgress: (progress) => seen.push(progress),
    call: get as unknown as typeof callApi,
  });
  return { asked, seen, made, end };
}

const running = (fraction: number): InspectionProgress => ({ step: 'running', fraction });
const waiting: InspectionProgress = { step: 'waiting', fraction: 0 };

test('polls every four seconds until the call’s response arrives', async () => {
  const answers = [waiting, running(0.1), running(0.4)];
  const { asked, seen, made, end } = begin(() => answers.shift()!);
  await pass(3_999);
  expect(asked).toEqual([]);
  await pass(8_001);
  expect(asked).toEqual([4, 8, 12]);
  end('a melody');
  expect(await made).toBe('a melody');
  expect(seen).toEqual([waiting, running(0.1), running(0.4), null]);
  await pass(3_600_000);
  expect(asked).toEqual([4, 8, 12]);
});

test('does not poll if the call’s response arrives within four seconds', async () => {
  const { asked, made, end } = begin(() => waiting);
  end('a recording');
  await made;
  await pass(3_600_000);
  expect(asked).toEqual([]);
});

test('polling backs off while the server reports no progress', async () => {
  let answer: InspectionProgress = null;
  const { asked, seen } = begin(() => answer);
  await pass(130_000);
  expect(asked).toEqual([4, 12, 28, 60, 92, 124]);
  answer = running(0.5);
  await pass(40_000);
  expect(asked.slice(6)).toEqual([156, 160, 164, 168]);
  expect(seen.slice(5, 7)).toEqual([null, running(0.5)]);
});

test('clears the progress when the connection is lost', async () => {
  let isDown = false;
  const { seen } = begin(() => {
    if (isDown) throw new CallError(0, 'No connection.');
    return running(0.4);
  });
  await pass(4_000);
  isDown = true;
  await pass(4_000);
  expect(seen).toEqual([running(0.4), null]);
});

test('a hidden page does not poll, and polls once when it is visible again', async () => {
  const { asked } = begin(() => running(0.1));
  setVisibility('hidden');
  await pass(60_000);
  expect(asked).toEqual([]);
  setVisibility('visible');
  setVisibility('hidden');
  await pass(60_000);
  expect(asked).toEqual([60]);
});

test('a page that becomes visible in the first four seconds does not poll early', async () => {
  const { asked } = begin(() => running(0.1));
  setVisibility('hidden');
  setVisibility('visible');
  await pass(3_999);
  expect(asked).toEqual([]);
  await pass(1);
  expect(asked).toEqual([4]);
});

test('ignores a poll response that arrives after the call has ended', async () => {
  let answerNow!: () => void;
  const seen: InspectionProgress[] = [];
  const late = () => new Promise((resolve) => (answerNow = () => resolve({ examination: running(0.9) })));
  let end!: () => void;
  const making = new Promise<void>((resolve) => (end = resolve));
  const made = withInspectionPolling('an-id', () => making, {
    onProgress: (progress) => seen.push(progress),
    call: late as unknown as typeof callApi,
  });
  await pass(4_000);
  end();
  await made;
  answerNow();
  await pass(60_000);
  expect(seen).toEqual([null]);
});

test('expects a slow inspection only for uploads that are long or of unknown duration', () => {
  const uploaded = [299, 300, null].map((seconds) => mayInspectionTakeLong({ origin: 'uploaded', seconds }));
  expect(uploaded).toEqual([false, true, true]);
  expect(mayInspectionTakeLong({ origin: 'recorded', seconds: null })).toBe(false);
});
