import { useEffect } from 'react';

/** Delay after the page has loaded, so that caching does not compete with the page's own requests. */
const START_DELAY_MS = 1_500;

let isRequested = false;

/**
 * Registers the service worker, which caches the application's shell. Does nothing in development, or if the
 * browser does not support service workers.
 */
export function cacheAppShell() {
  if (!import.meta.env.PROD || isRequested) return;
  isRequested = true;
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  // While offline, registering fails and is retried with the next recording or page.
  workers?.register('/service-worker.js').catch(() => (isRequested = false));
}

/**
 * Caches the shell soon after the first load with a signed-in user. Starting a recording caches it without
 * delay.
 */
export function useAppShellCaching() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer = setTimeout(cacheAppShell, START_DELAY_MS);
    };
    if (document.readyState === 'complete') later();
    else addEventListener('load', later, { once: true });
    return () => {
      removeEventListener('load', later);
      clearTimeout(timer);
    };
  }, []);
}
