// Background Sync: the browser wakes the service worker once there is a connection, even with no page open. Only
// Chromium's browsers have it; in others, sending waits for the next visit.

export const SEND_TAKES = 'send takes';
export const END_SESSION = 'end session';

type Syncing = { sync?: { register(tag: string): Promise<void> } };

/** Asks the browser to wake the service worker when there is a connection. Asking again changes nothing. */
export function askForSync(tag: typeof SEND_TAKES | typeof END_SESSION): void {
  void workers()
    ?.getRegistration()
    .then((registration) => (registration as Syncing | undefined)?.sync?.register(tag))
    // Forbidden by the user, or no worker yet.
    .catch(() => undefined);
}

/** Calls `listener` when the service worker is woken: an open page sends first, because it shows what it sends. */
export function whenSynced(listener: () => void, signal: AbortSignal): void {
  workers()?.addEventListener('message', ({ data }) => data === SEND_TAKES && listener(), { signal });
}

const workers = () => (globalThis.navigator as Partial<Navigator> | undefined)?.serviceWorker;
