import { useEffect } from 'react';

/** Delay that gives the page's own requests priority. */
const BEGINS_AFTER_MS = 1_000;

/** Keeps this user's pack up to date while a page is open, once the service worker can serve from it. */
export function usePackOf(userId: string) {
  useEffect(() => {
    const workers = (navigator as Partial<Navigator>).serviceWorker;
    // Both are missing without https, and service workers also in some private windows.
    if (!workers || !(crypto as Partial<Crypto>).subtle) return;
    const given = new AbortController();
    let end = () => {};
    const start = async () => {
      try {
        const { startPack } = await import('./pack-driver.ts');
        if (!given.signal.aborted) end = startPack(userId);
      } catch {
        // The code could not be loaded; the next page tries again.
      }
    };
    const startSoon = () => {
      const timer = setTimeout(() => void start(), BEGINS_AFTER_MS);
      given.signal.addEventListener('abort', () => clearTimeout(timer));
    };
    if (workers.controller) startSoon();
    else workers.addEventListener('controllerchange', startSoon, { once: true, signal: given.signal });
    return () => {
      given.abort();
      end();
    };
  }, [userId]);
}
