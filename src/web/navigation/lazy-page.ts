import { type ComponentType, createElement, lazy, useEffect, useState } from 'react';
import { noteFault } from '../api/call.ts';

/** A component whose code is fetched when it is first shown, or earlier by `preload`. */
export type LazyPart<P extends object> = ComponentType<P> & {
  /** Resolves when the code is there; also when it could not be had, which shows when the part is opened. */
  preload: () => Promise<void>;
  /** The same, but says whether the code could be had. */
  fetched: () => Promise<ComponentType<P>>;
  /** What has come already. */
  present: () => ComponentType<P> | null;
};
export type LazyPage = LazyPart<object>;

/** `preload` fetches what the part shows at once besides, so that nothing in it moves. */
type Loaded<P extends object> = { default: ComponentType<P>; preload?: () => Promise<unknown> };

/**
 * Like React's `lazy`, but what has been preloaded is shown at once. `lazy` would show the fallback for a moment even
 * then, and React keeps a fallback that it has shown for 300 ms.
 */
export function lazyPart<P extends object>(load: () => Promise<Loaded<P>>): LazyPart<P> {
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
    // Chosen once for each time it is mounted: changing over later would mount it anew and lose its state.
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

/** A lazy component, null until it has loaded; can be fetched again like a query. */
export function usePart<P extends object>(part: LazyPart<P>, isWanted = true) {
  const [Part, setPart] = useState<ComponentType<P> | null>(part.present);
  const [tries, setTries] = useState(1);
  const [failures, setFailures] = useState(0);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    if (Part || !isWanted) return;
    let isMounted = true;
    const fetchIt = async () => {
      try {
        const fetched = await part.fetched();
        if (isMounted) setPart(() => fetched);
      } catch (caught) {
        noteFault(caught);
        // A browser may remember that a module failed to load, and a newer version has other module names.
        if (tries > 1 && (await isReachable())) location.reload();
        else if (isMounted) {
          setError(caught);
          setFailures(tries);
        }
      }
    };
    void fetchIt();
    return () => {
      isMounted = false;
    };
  }, [part, Part, isWanted, tries]);

  return {
    Part,
    isError: failures > 0,
    /** Of the last try. */
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
