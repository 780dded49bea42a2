import { useContext, useEffect } from 'react';
import { PageDataContext, settings } from '../api/page-data.ts';
import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

const title = createStore<string | null>(null);

/** Sets the page's title in the browser's tab and in the header of small screens, where '' shows logo and name. */
export function usePageTitle(next: string, inHeader = next) {
  useEffect(() => {
    title.set(inHeader);
    document.title = next === settings.appName ? next : `${next} · ${settings.appName}`;
  }, [next, inHeader]);
}

/**
 * Returns the title; until a page has set one, the title that came with it, which the server's first screen shows too.
 */
export function useDisplayedTitle() {
  const { title: first } = useContext(PageDataContext);
  return useStore(title) ?? first;
}
