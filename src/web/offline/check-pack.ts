/**
 * Message from a page to the service worker. It makes the worker check immediately with the server which
 * melodies may stay on this device.
 */
export const CHECK_PACK_MESSAGE = 'check pack';

export const requestPackCheck = () =>
  (navigator as Partial<Navigator>).serviceWorker?.controller?.postMessage(CHECK_PACK_MESSAGE);
