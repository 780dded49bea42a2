import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const assign = vi.fn();
const toast = vi.hoisted(() => vi.fn());
vi.mock('../ui/toasts.ts', () => ({ toast }));
beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  assign.mockClear();
  toast.mockClear();
  vi.stubGlobal('location', { assign, pathname: '/submit', search: '' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const load = async () => ({
  ...(await import('./lost-session.ts')),
  ...(await import('../navigation/navigation-block.ts')),
});

test('reports a lost session once, and redirects to sign-in after 500 ms', async () => {
  const { handleLostSession } = await load();
  handleLostSession();
  handleLostSession();
  expect(toast.mock.calls).toEqual([
    [
      {
        title: 'Unauthorized',
        description: 'You are logged out. Logging in again...',
        variant: 'destructive',
        outlivesPage: true,
      },
    ],
  ]);
  vi.advanceTimersByTime(499);
  expect(assign).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(assign.mock.calls).toEqual([['/api/login']]);
  vi.advanceTimersByTime(1_000);
  expect(assign).toHaveBeenCalledOnce();
});

test('a lost session redirects only after a recording in progress has ended', async () => {
  const { handleLostSession, blockNavigation } = await load();
  const end = blockNavigation();
  handleLostSession();
  vi.advanceTimersByTime(600_000);
  expect(assign).not.toHaveBeenCalled();
  end();
  vi.advanceTimersByTime(2_000);
  expect(assign).toHaveBeenCalledOnce();
});

test('a lost session does not redirect while the recorder hands its take to the page', async () => {
  const { handleLostSession, blockNavigation } = await load();
  const endSinging = blockNavigation();
  handleLostSession();
  endSinging();
  const release = blockNavigation();
  vi.advanceTimersByTime(600_000);
  expect(assign).not.toHaveBeenCalled();
  release();
  vi.advanceTimersByTime(2_000);
  expect(assign).toHaveBeenCalledOnce();
});

test('a lost session does not cut off a recording that starts before the redirect', async () => {
  const { handleLostSession, blockNavigation } = await load();
  handleLostSession();
  vi.advanceTimersByTime(100);
  const end = blockNavigation();
  vi.advanceTimersByTime(600_000);
  expect(assign).not.toHaveBeenCalled();
  end();
  vi.advanceTimersByTime(2_000);
  expect(assign).toHaveBeenCalledOnce();
});
