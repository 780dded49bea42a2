import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// Read where no page is: the list as it is at this moment.
vi.mock('react', () => ({ useSyncExternalStore: (_: unknown, snapshot: () => unknown) => snapshot() }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => void vi.useRealTimers());

test('one toast shows at once: a new one takes the place of the one before', async () => {
  const { toast, useToasts } = await import('./toasts.ts');
  expect(useToasts()).toEqual([]);
  toast({ title: 'First' });
  toast({ title: 'Second', description: 'More', variant: 'destructive' });
  expect(useToasts()).toMatchObject([{ title: 'Second', variant: 'destructive', isOpen: true }]);
});

test('a toast that was dismissed is closed at once, and removed after 1,000,000 ms', async () => {
  const { dismissToast, toast, useToasts } = await import('./toasts.ts');
  toast({ title: 'Read' });
  dismissToast(useToasts()[0]!.id);
  expect(useToasts()).toMatchObject([{ title: 'Read', isOpen: false }]);
  vi.advanceTimersByTime(999_999);
  expect(useToasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(useToasts()).toEqual([]);
});
