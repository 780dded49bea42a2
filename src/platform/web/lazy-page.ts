import { type ComponentType, lazy } from 'react';

/** A page whose code is fetched when it is first shown, or earlier by `preload`. */
export type LazyPage = ComponentType & { preload: () => void };

export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  const preload = () => {
    // A failure shows when the page is opened, in its own error boundary.
    load().catch(() => undefined);
  };
  return Object.assign(lazy(load) as ComponentType, { preload });
}
