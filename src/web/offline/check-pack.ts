/**
 * Message from a page that makes the service worker check with the server immediately what may stay on this
 * device.
 */
export const CHECK_PACK = 'check pack';

export const requestPackCheck = () =>
  (navigator as Partial<Navigator>).serviceWorker?.controller?.postMessage(CHECK_PACK);
