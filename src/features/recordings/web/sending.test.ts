import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const sends = {
  wake: vi.fn(),
  end: vi.fn(),
  cancel: vi.fn(),
  subscribe: vi.fn(),
  getSnapshot: () => ({ id: null, fraction: 0, examination: null, hindrance: null, wait: null }),
};
vi.mock('../../../platform/web/takes/take-sender.ts', () => ({ createTakeSender: () => sends, STILL: {} }));
vi.mock('../../../platform/web/takes/use-takes.ts', () => ({ takeStore: () => ({}) }));
vi.mock('../../../platform/web/query-client.ts', () => ({ refresh: () => undefined }));

const { sendWaiting, stopSending } = await import('./sending.ts');

const window = new EventTarget();
const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });

beforeEach(() => {
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('document', document);
  document.visibilityState = 'visible';
  sendWaiting('tashi');
  sends.wake.mockClear();
});
afterEach(() => {
  stopSending();
  vi.unstubAllGlobals();
});

const see = (state: string) => {
  document.visibilityState = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

test.each(['online', 'focus'])('what waits is sent when the page hears %s', (name) => {
  window.dispatchEvent(new Event(name));
  expect(sends.wake).toHaveBeenCalledTimes(1);
});

test('what waits is sent when the page comes into sight, and not as it goes', () => {
  see('hidden');
  expect(sends.wake).not.toHaveBeenCalled();
  see('visible');
  expect(sends.wake).toHaveBeenCalledTimes(1);
});

test('it is tried again when the same person asks, by the same sender', () => {
  sends.end.mockClear();
  sendWaiting('tashi');
  expect([sends.wake.mock.calls.length, sends.end.mock.calls.length]).toEqual([1, 0]);
  sendWaiting('pema');
  expect(sends.end).toHaveBeenCalledTimes(1);
});

test('who has signed out sends nothing more', () => {
  stopSending();
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('focus'));
  see('visible');
  expect(sends.wake).not.toHaveBeenCalled();
});
