import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// There is no page here, so the mocked hook just reads the current list.
vi.mock('react', () => ({ useSyncExternalStore: (_: unknown, snapshot: () => unknown) => snapshot() }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => void vi.useRealTimers());

test('a new toast replaces the previous toast', async () => {
  const { toast, useToasts } = await import('./toasts.ts');
  expect(useToasts()).toEqual([]);
  toast({ title: 'First' });
  toast({ title: 'Second', description: 'More', variant: 'destructive' });
  expect(useToasts()).toMatchObject([{ title: 'Second', variant: 'destructive', isOpen: true }]);
});

test('closes a dismissed toast immediately and removes it after 1,000,000 ms', async () => {
  const { dismissToast, toast, useToasts } = await import('./toasts.ts');
  toast({ title: 'Read' });
  dismissToast(useToasts()[0]!.id);
  expect(useToasts()).toMatchObject([{ title: 'Read', isOpen: false }]);
  vi.advanceTimersByTime(999_999);
  expect(useToasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(useToasts()).toEqual([]);
});
