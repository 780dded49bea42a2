import { useEffect } from 'react';

/** Delay after the page has loaded, by when it has everything it needs itself. */
const BEGINS_AFTER_MS = 1_500;

let isAskedFor = false;

/** Makes the browser cache the application's shell. Does nothing if the browser can't. */
export function keepShell() {
  if (!import.meta.env.PROD || isAskedFor) return;
  isAskedFor = true;
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  // No connection now; retried with the next recording or page.
  workers?.register('/service-worker.js').catch(() => (isAskedFor = false));
}

/** Caches the shell soon after the first load, once a user is signed in; starting a recording does so at once. */
export function useKeptShell() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer = setTimeout(keepShell, BEGINS_AFTER_MS);
    };
    if (document.readyState === 'complete') later();
    else addEventListener('load', later, { once: true });
    return () => {
      removeEventListener('load', later);
      clearTimeout(timer);
    };
  }, []);
}
