import { useEffect } from 'react';

/** After the page has loaded: by then it has what it needs itself. */
const BEGINS_AFTER_MS = 1_500;

let isAskedFor = false;

/** Lets the browser keep the application's shell. Where it can't, all is as before. */
export function keepShell() {
  if (!import.meta.env.PROD || isAskedFor) return;
  isAskedFor = true;
  const workers = (navigator as Partial<Navigator>).serviceWorker;
  // Without a connection now; it is tried again with the next recording or page.
  workers?.register('/service-worker.js').catch(() => (isAskedFor = false));
}

/** Keeps it soon after the first load, once someone has signed in; a recording that begins does not wait for that. */
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
