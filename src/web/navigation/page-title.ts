import { useContext, useEffect, useSyncExternalStore } from 'react';
import { PageDataContext, settings } from '../api/page-data.ts';

let title: string | null = null;
const listeners = new Set<() => void>();

/** Names the page in the browser's tab and in the header of small screens, where '' shows logo and name. */
export function usePageTitle(next: string, inHeader = next) {
  useEffect(() => {
    title = inHeader;
    document.title = next === settings.appName ? next : `${next} · ${settings.appName}`;
    for (const listener of listeners) listener();
  }, [next, inHeader]);
}

/** Until a page has named itself, the name that came with it: the server's first screen has the same. */
export function useShownTitle() {
  const { title: first } = useContext(PageDataContext);
  return useSyncExternalStore(
    subscribe,
    () => title ?? first,
    () => first,
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
