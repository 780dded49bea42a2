let hasAsked = false;

/**
 * Requests persistent storage, once per page, so that the browser does not clear it when the device runs low on
 * space. Browsers may deny the request, and some ask the user. Nothing depends on the result.
 */
export function requestPersistentStorage(
  storage: Partial<StorageManager> | undefined = globalThis.navigator?.storage,
) {
  if (hasAsked || !storage?.persist) return;
  hasAsked = true;
  void storage.persist().catch(() => undefined);
}
