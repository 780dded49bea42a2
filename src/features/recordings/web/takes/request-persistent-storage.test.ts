import { beforeEach, expect, test, vi } from 'vitest';

let askToKeep: (storage: Partial<StorageManager> | undefined) => void;
beforeEach(async () => {
  vi.resetModules();
  ({ requestPersistentStorage: askToKeep } = await import('./request-persistent-storage.ts'));
});

test('requests persistent storage only once, even if the browser denies it', () => {
  const persist = vi.fn(() => Promise.reject(new Error('not allowed')));
  askToKeep({ persist });
  askToKeep({ persist });
  expect(persist).toHaveBeenCalledTimes(1);
});

test('does not throw in a browser without persistent storage', () => {
  expect(() => askToKeep({})).not.toThrow();
  expect(() => askToKeep(undefined)).not.toThrow();
});
