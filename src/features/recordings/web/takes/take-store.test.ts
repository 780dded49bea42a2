import { expect, test, vi } from 'vitest';
import { TEST_TAKE } from './take-fakes.ts';
import { openTakeStore, TakeStoreError } from './take-store.ts';

/**
 * Fakes a minimal IndexedDB that records how it is called. Every write succeeds, or fails with `failure` if
 * given.
 */
function aFactory(failure: DOMException | null = null) {
  const asked: unknown[] = [];
  const store = { add: vi.fn(), put: vi.fn(), delete: vi.fn() };
  const transaction = (stores: string[], mode: string, options: unknown) => {
    asked.push([stores, mode, options]);
    const made = {
      objectStore: () => store,
      error: failure,
      oncomplete: () => undefined,
      onabort: () => undefined,
    };
    queueMicrotask(() => (failure ? made.onabort() : made.oncomplete()));
    return made;
  };
  const open = () => {
    const request = { result: { transaction, close: () => undefined }, onsuccess: () => undefined };
    queueMicrotask(() => request.onsuccess());
    return request;
  };
  vi.stubGlobal('IDBKeyRange', { bound: (...ends: unknown[]) => ends });
  return { factory: { open } as unknown as IDBFactory, asked };
}

test('opens every write transaction with strict durability', async () => {
  const { factory, asked } = aFactory();
  const store = openTakeStore(factory);
  await store.begin(TEST_TAKE, 'a');
  await store.append('a', [{ index: 0, bytes: new ArrayBuffer(2) }]);
  await store.keepFile(TEST_TAKE, new Blob(['x']), { seconds: 1, peaks: null }, 'b');
  await store.remove('a');
  store.close();
  expect(asked).toEqual(
    Array.from({ length: 4 }, () => [['takes', 'pieces'], 'readwrite', { durability: 'strict' }]),
  );
});

test.each([
  ['QuotaExceededError', 'full'],
  ['UnknownError', 'unavailable'],
])('a write that fails with a %s reports the device as %s', async (name, problem) => {
  const { factory } = aFactory(new DOMException('', name));
  const store = openTakeStore(factory);
  await expect(store.begin(TEST_TAKE, 'a')).rejects.toMatchObject({ name: 'TakeStoreError', problem });
  store.close();
});

test('throws a TakeStoreError in a browser without IndexedDB', async () => {
  await expect(openTakeStore(undefined).listOf('tashi')).rejects.toThrow(TakeStoreError);
});

test('requests persistent storage when a take is stored, but not when one is removed', async () => {
  const persist = vi.fn(() => Promise.resolve(false));
  vi.stubGlobal('navigator', { storage: { persist } });
  const { factory } = aFactory();
  const store = openTakeStore(factory);
  await store.remove('a');
  expect(persist).not.toHaveBeenCalled();
  await store.begin(TEST_TAKE, 'b');
  expect(persist).toHaveBeenCalled();
  store.close();
  vi.unstubAllGlobals();
});
