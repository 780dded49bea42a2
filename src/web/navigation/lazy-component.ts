import { type ComponentType, createElement, lazy, useEffect, useState } from 'react';
import { logUnexpectedError } from '../api/call.ts';

/** A component whose code is fetched when it is first shown, or earlier by `preload`. */
export type LazyComponent<P extends object> = ComponentType<P> & {
  /**
   * Resolves when the code has loaded or failed to load. A failure is thrown later, when the component is
   * rendered.
   */
  preload: () => Promise<void>;
  /** Resolves with the component when its code has loaded, and rejects if it failed to load. */
  load: () => Promise<ComponentType<P>>;
  /** Returns the component if it has loaded. */
  getLoaded: () => ComponentType<P> | null;
};
export type LazyPage = LazyComponent<object>;

/** `preload` loads the nested lazy components that are shown first, so that the layout does not shift. */
type Loaded<P extends object> = { default: ComponentType<P>; preload?: () => Promise<unknown> };

/**
 * Creates a component like React's `lazy`, but renders preloaded code immediately. `lazy` would show its
 * fallback for a moment even then, and React keeps showing a fallback for at least 300 ms.
 */
export function createLazyComponent<P extends object>(
  importModule: () => Promise<Loaded<P>>,
): LazyComponent<P> {
  let loaded: ComponentType<P> | null = null;
  const loadAndKeep = async () => {
    const part = await importModule();
    await part.preload?.();
    loaded = part.default;
    return part;
  };
  const load = async () => (await loadAndKeep()).default;
  const Lazy = lazy(loadAndKeep) as unknown as ComponentType<P>;

  function Part(props: P) {
    // Chosen once per mount, because switching later would remount the component and lose its state.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Lazy);
    return createElement(Shown, props);
  }
  const preload = () =>
    loadAndKeep().then(
      () => undefined,
      () => undefined,
    );
  return Object.assign(Part, { preload, load, getLoaded: () => loaded });
}

/**
 * Loads a lazy component, and returns it with a loading state like a query's. The component is null until it
 * has loaded. After a second failure, reloads the page if the server can be reached.
 */
export function useLazyComponent<P extends object>(part: LazyComponent<P>, isWanted = true) {
  const [Part, setPart] = useState<ComponentType<P> | null>(part.getLoaded);
  const [tries, setTries] = useState(1);
  const [failures, setFailures] = useState(0);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    if (Part || !isWanted) return;
    let isMounted = true;
    const loadComponent = async () => {
      try {
        const fetched = await part.load();
        if (isMounted) setPart(() => fetched);
      } catch (caught) {
        logUnexpectedError(caught);
        // Reloads the page after the second failure. The browser may remember that the module failed to load,
        // or a newer version may have replaced it under a different name.
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
