import { type ComponentType, createElement, lazy, useState } from 'react';

/** A component whose code is fetched when it is first shown, or earlier by `preload`. */
export type LazyPart<P extends object> = ComponentType<P> & {
  /** Resolves when the code is there; also when it could not be had, which shows when the part is opened. */
  preload: () => Promise<void>;
};
export type LazyPage = LazyPart<object>;

/**
 * Like React's `lazy`, but what has been preloaded is shown at once. `lazy` would show the fallback for a moment even
 * then, and React keeps a fallback that it has shown for 300 ms.
 */
export function lazyPart<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;
  const loadAndKeep = async () => {
    const part = await load();
    loaded = part.default;
    return part;
  };
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
  return Object.assign(Part, { preload });
}
