import { useEffect } from 'react';

/** When the page has long what it needs itself. */
const BEGINS_AFTER_MS = 6_000;

/** Lets the browser keep the application's shell, once someone has signed in. Where it can't, all is as before. */
export function useKeptShell() {
  useEffect(() => {
    if (!import.meta.env.PROD) return;
    const timer = setTimeout(() => {
      const workers = (navigator as Partial<Navigator>).serviceWorker;
      workers?.register('/service-worker.js').catch(() => undefined);
    }, BEGINS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
