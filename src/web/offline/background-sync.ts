// Background Sync: the browser wakes the service worker once there is a connection, even with no page open.
// Only Chromium-based browsers support it. In others, sending waits for the next visit.

export const SEND_TAKES_SYNC_TAG = 'send takes';
export const END_SESSION_SYNC_TAG = 'end session';

type Syncing = { sync?: { register(tag: string): Promise<void> } };

/** Makes the browser wake the service worker when there is a connection. Repeated requests have no effect. */
export function registerBackgroundSync(tag: typeof SEND_TAKES_SYNC_TAG | typeof END_SESSION_SYNC_TAG): void {
  void getServiceWorkers()
    ?.getRegistration()
    .then((registration) => (registration as Syncing | undefined)?.sync?.register(tag))
    // The user has disabled Background Sync, or there is no worker yet.
    .catch(() => undefined);
}

/**
 * Calls `listener` if the service worker is woken to send takes while this page is open. The page then sends
 * the takes, because it can show the progress.
 */
export function onSendTakesSync(listener: () => void, signal: AbortSignal): void {
  getServiceWorkers()?.addEventListener('message', ({ data }) => data === SEND_TAKES_SYNC_TAG && listener(), {
    signal,
  });
}

const getServiceWorkers = () => (globalThis.navigator as Partial<Navigator> | undefined)?.serviceWorker;
