/**
 * Message with which a page makes the service worker check immediately with the server what may stay on this
 * device.
 */
export const CHECK_PACK_MESSAGE = 'check pack';

export const requestPackCheck = () =>
  (navigator as Partial<Navigator>).serviceWorker?.controller?.postMessage(CHECK_PACK_MESSAGE);
