import { useSyncExternalStore } from 'react';
import type { ReadableStore } from './store.ts';

type Watched<T> = ReadableStore<T> & { getInitial?(): T };

/**
 * Returns the store's value, or the part that `select` picks. The component re-renders when the result changes.
 */
export function useStore<T>(store: Watched<T>): T;
export function useStore<T, P>(store: Watched<T>, select: (value: T) => P): P;
export function useStore<T>(store: Watched<T>, select: (value: T) => unknown = (value) => value): unknown {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select((store.getInitial ?? store.get)()),
  );
}
