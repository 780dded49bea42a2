import { useContext, useEffect } from 'react';
import { PageDataContext, settings } from '../api/page-data.ts';
import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

const title = createStore<string | null>(null);

/**
 * Sets the page's title in the browser's tab and in the header of small screens. If `inHeader` is empty, the
 * header shows the logo and the name.
 */
export function usePageTitle(next: string, inHeader = next) {
  useEffect(() => {
    title.set(inHeader);
    document.title = next === settings.appName ? next : `${next} · ${settings.appName}`;
  }, [next, inHeader]);
}

/**
 * Returns the title that the page has set or, until then, the title in the page's data, which the server
 * renders too.
 */
export function useDisplayedTitle() {
  const { title: first } = useContext(PageDataContext);
  return useStore(title) ?? first;
}
