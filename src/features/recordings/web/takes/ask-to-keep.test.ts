import { beforeEach, expect, test, vi } from 'vitest';

let askToKeep: (storage: Partial<StorageManager> | undefined) => void;
beforeEach(async () => {
  vi.resetModules();
  ({ askToKeep } = await import('./ask-to-keep.ts'));
});

test('the browser is asked once to keep what is stored, whatever it answers', () => {
  const persist = vi.fn(() => Promise.reject(new Error('not allowed')));
  askToKeep({ persist });
  askToKeep({ persist });
  expect(persist).toHaveBeenCalledTimes(1);
});

test('a browser that cannot be asked is not', () => {
  expect(() => askToKeep({})).not.toThrow();
  expect(() => askToKeep(undefined)).not.toThrow();
});
