/** A value that changes over time: a store, a player, a recorder. Components read it with `useStore`. */
export type Readable<T> = {
  get(): T;
  /** Calls `listener` after each change. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
};

export type Store<T> = Readable<T> & {
  /** Returns the value that the store was created with, which the server renders and the browser hydrates. */
  getInitial(): T;
  /** Notifies the subscribers, unless the value is the same. */
  set(next: T): void;
  /** Unsubscribes all. */
  clear(): void;
  isWatched(): boolean;
};

/** Creates a store. It does not depend on React, so that players, recorders and workers can use it. */
export function createStore<T>(initial: T): Store<T> {
  const { notify, ...listeners } = createListeners();
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

/** Creates a list of subscribers to changes that have no value of their own. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      // A copy, because a listener may unsubscribe others, which are then skipped, or subscribe again.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener();
    },
    clear: () => listeners.clear(),
    isWatched: () => listeners.size > 0,
  };
}
