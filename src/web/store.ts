/** A value that changes over time: a store, a player, a recorder. Components read it with `useStore`. */
export type ReadableStore<T> = {
  get(): T;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
};

export type Store<T> = ReadableStore<T> & {
  /** Returns the value that the store was created with, which the server renders and the browser hydrates. */
  getInitial(): T;
  /** Sets the value, and notifies the subscribers if it has changed. */
  set(next: T): void;
  /** Removes all subscribers. */
  clear(): void;
  isWatched(): boolean;
};

/** Creates a store. It does not depend on React, so that players, recorders and workers can use it. */
export function createStore<T>(initial: T): Store<T> {
  const { notify, ...listeners } = createEventEmitter();
  let value = initial;
  return {
    ...listeners,
    get: () => value,
    getInitial: () => initial,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      notify();
    },
  };
}

/** Creates an event emitter without a payload. */
export function createEventEmitter() {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      // Iterates over a copy, because a listener may subscribe again. Skips a listener that an earlier
      // listener has unsubscribed.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener();
    },
    clear: () => listeners.clear(),
    isWatched: () => listeners.size > 0,
  };
}
