import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const still = {
  id: null as string | null,
  fraction: 0,
  examination: null,
  blockedBy: null as string | null,
  wait: null,
};
const sends = {
  wake: vi.fn(),
  end: vi.fn(),
  cancel: vi.fn(),
  subscribe: vi.fn((_: () => void) => () => undefined),
  get: vi.fn(() => still as object),
};
vi.mock('./takes/take-sender.ts', () => ({ createTakeSender: () => sends, IDLE_TAKE_SENDER: {} }));
vi.mock('./takes/use-takes.ts', () => ({ getTakeStore: () => ({}) }));
vi.mock('#web/api/query-client.ts', () => ({ refreshQueries: () => undefined }));

const { scheduleStopSendingTakes, startSendingTakes, stopSendingTakes } = await import('./take-sending.ts');

const window = new EventTarget();
const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const register = vi.fn(() => Promise.resolve());
const serviceWorker = Object.assign(new EventTarget(), {
  getRegistration: () => Promise.resolve({ sync: { register } }),
});

beforeEach(() => {
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', { serviceWorker });
  document.visibilityState = 'visible';
  sends.get.mockReturnValue(still);
  startSendingTakes('tashi');
  sends.wake.mockClear();
  register.mockClear();
});
afterEach(() => {
  stopSendingTakes();
  vi.unstubAllGlobals();
});

const setVisibility = (state: string) => {
  document.visibilityState = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

test.each(['online', 'focus'])('sends queued recordings on the %s event', (name) => {
  window.dispatchEvent(new Event(name));
  expect(sends.wake).toHaveBeenCalledTimes(1);
});

test('sends queued recordings when the page becomes visible, but not when hidden', () => {
  setVisibility('hidden');
  expect(sends.wake).not.toHaveBeenCalled();
  setVisibility('visible');
  expect(sends.wake).toHaveBeenCalledTimes(1);
});

test('startSendingTakes keeps the sender for the same user and ends it for another', () => {
  sends.end.mockClear();
  startSendingTakes('tashi');
  expect([sends.wake.mock.calls.length, sends.end.mock.calls.length]).toEqual([1, 0]);
  startSendingTakes('pema');
  expect(sends.end).toHaveBeenCalledTimes(1);
});

test('leaving and returning immediately does not end the sender', async () => {
  sends.end.mockClear();
  scheduleStopSendingTakes();
  startSendingTakes('tashi');
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([sends.wake.mock.calls.length, sends.end.mock.calls.length]).toEqual([1, 0]);
});

test('page events do not start sending after sending has been stopped', async () => {
  sends.end.mockClear();
  scheduleStopSendingTakes();
  await expect.poll(() => sends.end.mock.calls.length).toBeGreaterThan(0);
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('focus'));
  setVisibility('visible');
  expect(sends.wake).not.toHaveBeenCalled();
});

const show = (snapshot: Partial<typeof still>) => {
  sends.get.mockReturnValue({ ...still, ...snapshot });
  sends.subscribe.mock.lastCall![0]();
};

test.each(['offline', 'server'])(
  'requests a background sync after the first failed attempt (blocked by: %s)',
  async (blockedBy) => {
    show({ id: 'being tried' });
    show({ blockedBy: null });
    await Promise.resolve();
    expect(register).not.toHaveBeenCalled();
    show({ blockedBy });
    await expect.poll(() => register.mock.calls).toEqual([['send takes']]);
    // No sync is requested after another failed attempt.
    show({ id: 'being tried', blockedBy });
    show({ blockedBy });
    await Promise.resolve();
    expect(register).toHaveBeenCalledTimes(1);
    setVisibility('hidden');
    await expect.poll(() => register.mock.calls.length).toBe(2);
  },
);

test('requests a background sync if the page is hidden during sending', async () => {
  show({});
  setVisibility('hidden');
  show({ id: 'on its way' });
  setVisibility('visible');
  await Promise.resolve();
  expect(register).not.toHaveBeenCalled();
  setVisibility('hidden');
  await expect.poll(() => register.mock.calls).toEqual([['send takes']]);
});

test('a message from the service worker starts sending queued recordings', () => {
  serviceWorker.dispatchEvent(new MessageEvent('message', { data: 'something else' }));
  expect(sends.wake).not.toHaveBeenCalled();
  serviceWorker.dispatchEvent(new MessageEvent('message', { data: 'send takes' }));
  expect(sends.wake).toHaveBeenCalledTimes(1);
});

test('keeps sending if background sync is missing or not allowed', async () => {
  register.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  show({ blockedBy: 'offline' });
  await expect.poll(() => register.mock.calls.length).toBe(1);
  vi.stubGlobal('navigator', {});
  startSendingTakes('pema');
  show({ blockedBy: 'offline' });
  expect(sends.wake).toHaveBeenCalled();
});
