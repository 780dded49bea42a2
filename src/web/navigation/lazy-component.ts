import { type ComponentType, createElement, lazy, useEffect, useState } from 'react';
import { logFault } from '../api/call.ts';

/** A component whose code is fetched when it is first shown, or earlier by `preload`. */
export type LazyComponent<P extends object> = ComponentType<P> & {
  /** Resolves when the code has loaded, or has failed to, which shows when the component is rendered. */
  preload: () => Promise<void>;
  /** Does the same, but rejects if the code failed to load. */
  fetched: () => Promise<ComponentType<P>>;
  /** Returns the component if it has loaded. */
  present: () => ComponentType<P> | null;
};
export type LazyPage = LazyComponent<object>;

/** `preload` also fetches what the component shows at once, so that its layout does not shift. */
type Loaded<P extends object> = { default: ComponentType<P>; preload?: () => Promise<unknown> };

/**
 * Creates a component like React's `lazy`, but shows preloaded code at once. Even then, `lazy` would show its
 * fallback for a moment, and React keeps a fallback that it has shown for 300 ms.
 */
export function lazyComponent<P extends object>(load: () => Promise<Loaded<P>>): LazyComponent<P> {
  let loaded: ComponentType<P> | null = null;
  const loadAndKeep = async () => {
    const part = await load();
    await part.preload?.();
    loaded = part.default;
    return part;
  };
  const fetched = async () => (await loadAndKeep()).default;
  const Lazy = lazy(loadAndKeep) as unknown as ComponentType<P>;

  function Part(props: P) {
    // Chosen once per mount: switching later would remount the component and lose its state.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Lazy);
    return createElement(Shown, props);
  }
  const preload = () =>
    loadAndKeep().then(
      () => undefined,
      () => undefined,
    );
  return Object.assign(Part, { preload, fetched, present: () => loaded });
}

/** Returns a lazy component, null until it has loaded; it can be refetched like a query. */
export function useLazyComponent<P extends object>(part: LazyComponent<P>, isWanted = true) {
  const [Part, setPart] = useState<ComponentType<P> | null>(part.present);
  const [tries, setTries] = useState(1);
  const [failures, setFailures] = useState(0);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    if (Part || !isWanted) return;
    let isMounted = true;
    const loadComponent = async () => {
      try {
        const fetched = await part.fetched();
        if (isMounted) setPart(() => fetched);
      } catch (caught) {
        logFault(caught);
        // A browser may remember that a module failed to load, and a newer version has different module names.
        if (tries > 1 && (await isReachable())) location.reload();
        else if (isMounted) {
          setError(caught);
          setFailures(tries);
        }
      }
    };
    void loadComponent();
    return () => {
      isMounted = false;
    };
  }, [part, Part, isWanted, tries]);

  return {
    Part,
    isError: failures > 0,
    /** Error of the last try. */
    error,
    isFetching: failures < tries,
    refetch: () => setTries(tries + 1),
  };
}

const isReachable = () =>
  fetch('/api/health').then(
    ({ ok }) => ok,
    () => false,
  );
