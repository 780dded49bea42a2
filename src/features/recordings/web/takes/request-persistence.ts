let hasAsked = false;

/**
 * Asks the browser, once per page, not to clear this site's storage when the device runs low on space. Browsers
 * may deny the request, and some ask the user. Nothing depends on the answer.
 */
export function requestPersistence(
  storage: Partial<StorageManager> | undefined = globalThis.navigator?.storage,
) {
  if (hasAsked || !storage?.persist) return;
  hasAsked = true;
  void storage.persist().catch(() => undefined);
}
