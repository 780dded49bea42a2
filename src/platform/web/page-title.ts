import { useEffect, useSyncExternalStore } from 'react';
import { settings } from './page-data.ts';

let title = '';
const listeners = new Set<() => void>();

/** Names the page in the browser's tab and in the header of small screens, where '' shows logo and name. */
export function usePageTitle(next: string, inHeader = next) {
  useEffect(() => {
    title = inHeader;
    document.title = next === settings.appName ? next : `${next} · ${settings.appName}`;
    for (const listener of listeners) listener();
  }, [next, inHeader]);
}

export const useShownTitle = () => useSyncExternalStore(subscribe, () => title);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
