import { useEffect } from 'react';

/** Delay after the page has loaded, by when it has everything it needs itself. */
const START_DELAY_MS = 1_500;

let isRequested = false;

/** Makes the browser cache the application's shell. Does nothing if the browser can't. */
export function cacheShell() {
  if (!import.meta.env.PROD || isRequested) return;
  isRequested = true;
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  // No connection now; retried with the next recording or page.
  workers?.register('/service-worker.js').catch(() => (isRequested = false));
}

/** Caches the shell soon after the first load, once a user is signed in; starting a recording does so at once. */
export function useCachedShell() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer = setTimeout(cacheShell, START_DELAY_MS);
    };
    if (document.readyState === 'complete') later();
    else addEventListener('load', later, { once: true });
    return () => {
      removeEventListener('load', later);
      clearTimeout(timer);
    };
  }, []);
}
