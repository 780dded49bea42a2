/** The message by which a page has the service worker ask the server at once what may still be kept on this device. */
export const CHECK_PACK = 'check pack';

export const checkPack = () =>
  (navigator as Partial<Navigator>).serviceWorker?.controller?.postMessage(CHECK_PACK);
