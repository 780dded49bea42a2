import { useEffect } from 'react';

/** Delay after the page has loaded: by then it has what it needs itself. */
const BEGINS_AFTER_MS = 1_500;

let isAskedFor = false;

/** Has the browser cache the application's shell. Where it can't, nothing changes. */
export function keepShell() {
  if (!import.meta.env.PROD || isAskedFor) return;
  isAskedFor = true;
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  // No connection now; retried with the next recording or page.
  workers?.register('/service-worker.js').catch(() => (isAskedFor = false));
}

/** Caches the shell soon after the first load, once a user has signed in; a recording that starts does so at once. */
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
