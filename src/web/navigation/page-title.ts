import { useContext, useEffect } from 'react';
import { PageDataContext, settings } from '../api/page-data.ts';
import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

const title = createStore<string | null>(null);

/** Names the page in the browser's tab and in the header of small screens, where '' shows logo and name. */
export function usePageTitle(next: string, inHeader = next) {
  useEffect(() => {
    title.set(inHeader);
    document.title = next === settings.appName ? next : `${next} · ${settings.appName}`;
  }, [next, inHeader]);
}

/** Until a page has named itself, the name that came with it: the server's first screen has the same. */
export function useShownTitle() {
  const { title: first } = useContext(PageDataContext);
  return useStore(title) ?? first;
}
