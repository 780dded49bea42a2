import { useEffect } from 'react';

/** The page's own requests come first. */
const BEGINS_AFTER_MS = 1_000;

/** Keeps the pack of this user up to date while a page is open, once the service worker is there to serve from it. */
export function usePackOf(userId: string) {
  useEffect(() => {
    const workers = (navigator as Partial<Navigator>).serviceWorker;
    // Missing without https, where nothing can be encrypted either, and in some private windows.
    if (!workers || !(crypto as Partial<Crypto>).subtle) return;
    const given = new AbortController();
    let end = () => {};
    const start = async () => {
      try {
        const { startPack } = await import('./pack-driver.ts');
        if (!given.signal.aborted) end = startPack(userId);
      } catch {
        // No connection for its code; with the next page.
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
