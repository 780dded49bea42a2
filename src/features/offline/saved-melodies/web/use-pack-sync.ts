import { useEffect } from 'react';

/** Delay of the first sync, so that the page's own requests come first. */
const START_DELAY_MS = 1_000;

/** Keeps this user's pack up to date while a page is open, once the service worker can serve from it. */
export function usePackSync(userId: string) {
  useEffect(() => {
    const workers = (navigator as Partial<Navigator>).serviceWorker;
    // Service workers and `crypto.subtle` are missing without HTTPS. Service workers are also missing in some
    // private windows.
    if (!workers || !(crypto as Partial<Crypto>).subtle) return;
    const ending = new AbortController();
    let end = () => {};
    const start = async () => {
      try {
        const { startPackSync } = await import('./pack-sync.ts');
        if (!ending.signal.aborted) end = startPackSync(userId);
      } catch {
        // The code could not be loaded; the next page tries again.
      }
    };
    const startSoon = () => {
      const timer = setTimeout(() => void start(), START_DELAY_MS);
      ending.signal.addEventListener('abort', () => clearTimeout(timer));
    };
    if (workers.controller) startSoon();
    else workers.addEventListener('controllerchange', startSoon, { once: true, signal: ending.signal });
    return () => {
      ending.abort();
      end();
    };
  }, [userId]);
}
